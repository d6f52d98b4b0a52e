"""The tables: finished and running games, tables of people, tournaments and who is working on which of these."""

from typing import Any

import sqlalchemy as sa

HEAD = "0007"
"""The newest migration; a store is brought up to it when it is opened."""

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)


def filled(**kinds: Any) -> list[sa.Column[Any]]:
    """Columns that are never empty, by name and type. Migrations use this too, so what it makes must not change."""
    return [sa.Column(name, kind, nullable=False) for name, kind in kinds.items()]


games = sa.Table(
    "games",
    metadata,
    sa.Column("uid", sa.String(64), primary_key=True),
    *filled(game=sa.String(40), evader=sa.Text, pursuers=sa.Text, seed=sa.BigInteger, outcome=sa.String(80)),
    *filled(rounds=sa.Integer, plies=sa.Integer, record=sa.Text, finished_at=sa.Double),
    sa.Index("ix_games_finished_at", "finished_at"),
)
"""Finished games only: a record holds all secrets of its game."""

tournaments = sa.Table(
    "tournaments",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    *filled(name=sa.String(200), spec=sa.Text, spec_hash=sa.String(64), source=sa.Text, made_with=sa.Text),
    *filled(begun_at=sa.Double),
    sa.Column("finished_at", sa.Double),
    sa.Column("secret", sa.String(64)),
    sa.UniqueConstraint("name"),
)
"""`secret` is what its games come from; empty where a seed in `spec` decides."""

results = sa.Table(
    "results",
    metadata,
    sa.Column("tournament_id", sa.ForeignKey("tournaments.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    *filled(round=sa.Integer, entry=sa.Integer, deal=sa.Integer, evader=sa.String(200), pursuers=sa.String(200)),
    sa.Column("outcome", sa.String(80)),
    *filled(rounds=sa.Integer, plies=sa.Integer, faults=sa.Text, times=sa.Text),
    sa.Column("game_uid", sa.ForeignKey("games.uid")),
    sa.UniqueConstraint("tournament_id", "round", "entry", "deal", "evader", "pursuers", name="uq_results_match"),
    sa.UniqueConstraint("game_uid"),
)
"""One row a match, by its number in the schedule and by what it is: neither can be there twice."""

leases = sa.Table(
    "leases",
    metadata,
    sa.Column("tournament_id", sa.ForeignKey("tournaments.id"), primary_key=True),
    *filled(token=sa.String(64), machine=sa.Text, process=sa.Text, expires_at=sa.Double),
)
"""Who works on a tournament; whoever writes results shows the token in the same transaction."""

running_games = sa.Table(
    "running_games",
    metadata,
    sa.Column("uid", sa.String(64), primary_key=True),
    *filled(game=sa.String(40), config=sa.Text, setup=sa.Text, seed=sa.BigInteger, seats=sa.Text, options=sa.Text),
    *filled(created_at=sa.Double),
    sa.Column("secret", sa.String(64)),
    sa.Column("draft", sa.Text),
    sa.Column("taken_back", sa.Text),
    sa.Index("ix_running_games_created_at", "created_at"),
)
"""`secret` goes into the record when the game is over; games of before have a seed instead. `draft` has the moves that
a team has not confirmed, `taken_back` how often each side took something back; both are JSON."""

running_moves = sa.Table(
    "running_moves",
    metadata,
    sa.Column("uid", sa.ForeignKey("running_games.uid"), primary_key=True),
    sa.Column("ply", sa.Integer, primary_key=True),
    *filled(notation=sa.Text, at=sa.Double),
    sa.Column("fault", sa.Text),
    sa.Column("seconds", sa.Double),
)
"""`fault` is the failed turn that a move stands for, as JSON; `seconds` is what people used by their clock."""

seat_tokens = sa.Table(
    "seat_tokens",
    metadata,
    sa.Column("uid", sa.String(64), primary_key=True),
    sa.Column("seat", sa.String(20), primary_key=True),
    sa.Column("token_hash", sa.String(64), nullable=False),
)
"""SHA-256 of the secrets; they outlive the running game, so that a page keeps its seat to the end and after it."""

attachments = sa.Table(
    "attachments",
    metadata,
    sa.Column("game_uid", sa.ForeignKey("games.uid"), primary_key=True),
    sa.Column("kind", sa.String(40), primary_key=True),
    *filled(data=sa.Text, changed_at=sa.Double),
)
"""What is added to a finished game: notes, an analysis."""

boards = sa.Table(
    "boards",
    metadata,
    sa.Column("digest", sa.String(64), primary_key=True),
    *filled(name=sa.Text, board=sa.Text, created_at=sa.Double),
)
"""Boards that somebody uploaded."""

play_tables = sa.Table(
    "play_tables",
    metadata,
    sa.Column("uid", sa.String(64), primary_key=True),
    *filled(config=sa.Text, state=sa.Text, created_at=sa.Double, changed_at=sa.Double),
    sa.Index("ix_play_tables_changed_at", "changed_at"),
)
"""Tables of people; `state` is JSON, and `config` the game's config, which never changes."""

play_table_games = sa.Table(
    "play_table_games",
    metadata,
    sa.Column("game_uid", sa.String(64), primary_key=True),
    *filled(table_uid=sa.String(64)),
    sa.Index("ix_play_table_games_table_uid", "table_uid"),
)
"""The games that were played at a table, also when they are over."""

play_table_chat = sa.Table(
    "play_table_chat",
    metadata,
    sa.Column("table_uid", sa.String(64), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    *filled(person=sa.Integer, name=sa.Text, text=sa.Text, at=sa.Double),
    sa.Column("play", sa.String(64)),
    sa.Column("seat", sa.String(20)),
)
"""`play` and `seat` are the game and the team that a message was for; empty for what everybody may read."""

variations = sa.Table(
    "variations",
    metadata,
    sa.Column("game_uid", sa.ForeignKey("games.uid"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    *filled(parent=sa.Integer, ply=sa.Integer, actions=sa.Text, name=sa.Text, owner=sa.String(64)),
    *filled(changed_at=sa.Double),
)
"""Moves that were not played in a finished game, from a ply of its variation `parent`; 0 is the game itself. `owner` is
the hash of the token that wrote it, empty on a server of one's own."""

ply_comments = sa.Table(
    "ply_comments",
    metadata,
    sa.Column("game_uid", sa.ForeignKey("games.uid"), primary_key=True),
    sa.Column("variation", sa.Integer, primary_key=True),
    sa.Column("ply", sa.Integer, primary_key=True),
    sa.Column("owner", sa.String(64), primary_key=True),
    *filled(text=sa.Text, changed_at=sa.Double),
)
"""What somebody wrote about a moment of a finished game or of one of its variations."""

game_origins = sa.Table(
    "game_origins",
    metadata,
    sa.Column("uid", sa.String(64), primary_key=True),
    *filled(from_uid=sa.String(64), variation=sa.Integer, ply=sa.Integer),
)
"""The finished game, variation and ply from which a game was played on."""
