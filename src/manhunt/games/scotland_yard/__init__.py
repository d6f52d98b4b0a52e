"""Scotland Yard, the full game: transports, tickets, a travel log with shown rounds, double moves."""
