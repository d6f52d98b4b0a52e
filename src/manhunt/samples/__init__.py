"""Programs to copy and change: bots that play on a server of this package."""
