"""Games, tournaments, results, leases."""

import sqlalchemy as sa
from alembic import op

from manhunt.store.schema import filled

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "games",
        *filled(uid=sa.String(64), game=sa.String(40), evader=sa.Text, pursuers=sa.Text, seed=sa.BigInteger),
        *filled(outcome=sa.String(80), rounds=sa.Integer, plies=sa.Integer, record=sa.Text, finished_at=sa.Double),
        sa.PrimaryKeyConstraint("uid", name="pk_games"),
    )
    op.create_index("ix_games_finished_at", "games", ["finished_at"])
    op.create_table(
        "tournaments",
        *filled(id=sa.Integer, name=sa.String(200), spec=sa.Text, spec_hash=sa.String(64), source=sa.Text),
        *filled(made_with=sa.Text, begun_at=sa.Double),
        sa.Column("finished_at", sa.Double),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
        sa.UniqueConstraint("name", name="uq_tournaments_name"),
    )
    op.create_table(
        "results",
        *filled(tournament_id=sa.Integer, number=sa.Integer, round=sa.Integer, entry=sa.Integer, deal=sa.Integer),
        *filled(evader=sa.String(200), pursuers=sa.String(200)),
        sa.Column("outcome", sa.String(80)),
        *filled(rounds=sa.Integer, plies=sa.Integer, faults=sa.Text, times=sa.Text),
        sa.Column("game_uid", sa.String(64)),
        sa.PrimaryKeyConstraint("tournament_id", "number", name="pk_results"),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name="fk_results_tournament_id"),
        sa.ForeignKeyConstraint(["game_uid"], ["games.uid"], name="fk_results_game_uid"),
        sa.UniqueConstraint("tournament_id", "round", "entry", "deal", "evader", "pursuers", name="uq_results_match"),
        sa.UniqueConstraint("game_uid", name="uq_results_game_uid"),
    )
    op.create_table(
        "leases",
        *filled(tournament_id=sa.Integer, token=sa.String(64), machine=sa.Text, process=sa.Text),
        *filled(expires_at=sa.Double),
        sa.PrimaryKeyConstraint("tournament_id", name="pk_leases"),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name="fk_leases_tournament_id"),
    )


def downgrade() -> None:
    for name in ("leases", "results", "tournaments", "games"):
        op.drop_table(name)
