"""The champions: a Fugitive who foresees the Marshal's guesses, and a Marshal who expects such a Fugitive."""
