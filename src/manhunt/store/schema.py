"""The tables: finished and running games, tournaments and their results, and who is working on which tournament."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

HEAD = "0002"
"""The newest migration; a store is brought up to it when it is opened."""

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)

games = Table(
    "games",
    metadata,
    Column("uid", String(64), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("evader", Text, nullable=False),
    Column("pursuers", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("outcome", String(80), nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("record", Text, nullable=False),
    Column("finished_at", Double, nullable=False),
    Index("ix_games_finished_at", "finished_at"),
)
"""Finished games only: a record holds all secrets of its game."""

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False),
    Column("spec", Text, nullable=False),
    Column("spec_hash", String(64), nullable=False),
    Column("source", Text, nullable=False),
    Column("made_with", Text, nullable=False),
    Column("begun_at", Double, nullable=False),
    Column("finished_at", Double),
    UniqueConstraint("name"),
)

results = Table(
    "results",
    metadata,
    Column("tournament_id", ForeignKey("tournaments.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("round", Integer, nullable=False),
    Column("entry", Integer, nullable=False),
    Column("deal", Integer, nullable=False),
    Column("evader", String(200), nullable=False),
    Column("pursuers", String(200), nullable=False),
    Column("outcome", String(80)),
    Column("rounds", Integer, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("faults", Text, nullable=False),
    Column("times", Text, nullable=False),
    Column("game_uid", ForeignKey("games.uid")),
    UniqueConstraint("tournament_id", "round", "entry", "deal", "evader", "pursuers", name="uq_results_match"),
    UniqueConstraint("game_uid"),
)
"""One row a match, by its number in the schedule and by what it is: neither can be there twice."""

leases = Table(
    "leases",
    metadata,
    Column("tournament_id", ForeignKey("tournaments.id"), primary_key=True),
    Column("token", String(64), nullable=False),
    Column("machine", Text, nullable=False),
    Column("process", Text, nullable=False),
    Column("expires_at", Double, nullable=False),
)
"""Who works on a tournament; whoever writes results shows the token in the same transaction."""

running_games = Table(
    "running_games",
    metadata,
    Column("uid", String(64), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("config", Text, nullable=False),
    Column("setup", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("seats", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("created_at", Double, nullable=False),
    Index("ix_running_games_created_at", "created_at"),
)

running_moves = Table(
    "running_moves",
    metadata,
    Column("uid", ForeignKey("running_games.uid"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("notation", Text, nullable=False),
    Column("at", Double, nullable=False),
)

seat_tokens = Table(
    "seat_tokens",
    metadata,
    Column("uid", String(64), primary_key=True),
    Column("seat", String(20), primary_key=True),
    Column("token_hash", String(64), nullable=False),
)
"""SHA-256 of the secrets; they outlive the running game, so that a page keeps its seat to the end and after it."""

attachments = Table(
    "attachments",
    metadata,
    Column("game_uid", ForeignKey("games.uid"), primary_key=True),
    Column("kind", String(40), primary_key=True),
    Column("data", Text, nullable=False),
    Column("changed_at", Double, nullable=False),
)
"""What is added to a finished game: notes, an analysis."""

boards = Table(
    "boards",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("name", Text, nullable=False),
    Column("board", Text, nullable=False),
    Column("created_at", Double, nullable=False),
)
"""Boards that somebody uploaded."""
