"""Running games with their moves, seats' tokens, uploaded boards, what is added to finished games."""

import sqlalchemy as sa
from alembic import op

from manhunt.store.schema import filled

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "running_games",
        *filled(uid=sa.String(64), game=sa.String(40), config=sa.Text, setup=sa.Text, seed=sa.BigInteger),
        *filled(seats=sa.Text, options=sa.Text, created_at=sa.Double),
        sa.PrimaryKeyConstraint("uid", name="pk_running_games"),
    )
    op.create_index("ix_running_games_created_at", "running_games", ["created_at"])
    op.create_table(
        "running_moves",
        *filled(uid=sa.String(64), ply=sa.Integer, notation=sa.Text, at=sa.Double),
        sa.PrimaryKeyConstraint("uid", "ply", name="pk_running_moves"),
        sa.ForeignKeyConstraint(["uid"], ["running_games.uid"], name="fk_running_moves_uid"),
    )
    op.create_table(
        "seat_tokens",
        *filled(uid=sa.String(64), seat=sa.String(20), token_hash=sa.String(64)),
        sa.PrimaryKeyConstraint("uid", "seat", name="pk_seat_tokens"),
    )
    op.create_table(
        "attachments",
        *filled(game_uid=sa.String(64), kind=sa.String(40), data=sa.Text, changed_at=sa.Double),
        sa.PrimaryKeyConstraint("game_uid", "kind", name="pk_attachments"),
        sa.ForeignKeyConstraint(["game_uid"], ["games.uid"], name="fk_attachments_game_uid"),
    )
    op.create_table(
        "boards",
        *filled(digest=sa.String(64), name=sa.Text, board=sa.Text, created_at=sa.Double),
        sa.PrimaryKeyConstraint("digest", name="pk_boards"),
    )


def downgrade() -> None:
    for name in ("boards", "attachments", "seat_tokens", "running_moves", "running_games"):
        op.drop_table(name)
