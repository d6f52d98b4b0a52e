"""The study of Fugitive: its questions, games that are kept pair by pair, and the page that tells it."""
