"""Running games with their moves, seats' tokens, uploaded boards, what is added to finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "running_games",
        sa.Column("uid", sa.String(64), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("config", sa.Text, nullable=False),
        sa.Column("setup", sa.Text, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("uid", name="pk_running_games"),
    )
    op.create_index("ix_running_games_created_at", "running_games", ["created_at"])
    op.create_table(
        "running_moves",
        sa.Column("uid", sa.String(64), nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("notation", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("uid", "ply", name="pk_running_moves"),
        sa.ForeignKeyConstraint(["uid"], ["running_games.uid"], name="fk_running_moves_uid"),
    )
    op.create_table(
        "seat_tokens",
        sa.Column("uid", sa.String(64), nullable=False),
        sa.Column("seat", sa.String(20), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("uid", "seat", name="pk_seat_tokens"),
    )
    op.create_table(
        "attachments",
        sa.Column("game_uid", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("changed_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("game_uid", "kind", name="pk_attachments"),
        sa.ForeignKeyConstraint(["game_uid"], ["games.uid"], name="fk_attachments_game_uid"),
    )
    op.create_table(
        "boards",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("board", sa.Text, nullable=False),
        sa.Column("created_at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_boards"),
    )


def downgrade() -> None:
    for name in ("boards", "attachments", "seat_tokens", "running_moves", "running_games"):
        op.drop_table(name)
