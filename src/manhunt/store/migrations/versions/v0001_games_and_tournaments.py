"""Games, tournaments, results, leases."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "games",
        sa.Column("uid", sa.String(64), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("evader", sa.Text, nullable=False),
        sa.Column("pursuers", sa.Text, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("outcome", sa.String(80), nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("finished_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("uid", name="pk_games"),
    )
    op.create_index("ix_games_finished_at", "games", ["finished_at"])
    op.create_table(
        "tournaments",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("spec", sa.Text, nullable=False),
        sa.Column("spec_hash", sa.String(64), nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("made_with", sa.Text, nullable=False),
        sa.Column("begun_at", sa.Double, nullable=False),
        sa.Column("finished_at", sa.Double),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
        sa.UniqueConstraint("name", name="uq_tournaments_name"),
    )
    op.create_table(
        "results",
        sa.Column("tournament_id", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("entry", sa.Integer, nullable=False),
        sa.Column("deal", sa.Integer, nullable=False),
        sa.Column("evader", sa.String(200), nullable=False),
        sa.Column("pursuers", sa.String(200), nullable=False),
        sa.Column("outcome", sa.String(80)),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("faults", sa.Text, nullable=False),
        sa.Column("times", sa.Text, nullable=False),
        sa.Column("game_uid", sa.String(64)),
        sa.PrimaryKeyConstraint("tournament_id", "number", name="pk_results"),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name="fk_results_tournament_id"),
        sa.ForeignKeyConstraint(["game_uid"], ["games.uid"], name="fk_results_game_uid"),
        sa.UniqueConstraint("tournament_id", "round", "entry", "deal", "evader", "pursuers", name="uq_results_match"),
        sa.UniqueConstraint("game_uid", name="uq_results_game_uid"),
    )
    op.create_table(
        "leases",
        sa.Column("tournament_id", sa.Integer, nullable=False),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("machine", sa.Text, nullable=False),
        sa.Column("process", sa.Text, nullable=False),
        sa.Column("expires_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("tournament_id", name="pk_leases"),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name="fk_leases_tournament_id"),
    )


def downgrade() -> None:
    for name in ("leases", "results", "tournaments", "games"):
        op.drop_table(name)
