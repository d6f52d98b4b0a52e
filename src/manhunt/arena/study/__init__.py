"""The study of Fugitive: one file a question, games that are kept pair by pair, and the page that tells it."""
