"""Tables of people, their games and what is said there."""

import sqlalchemy as sa
from alembic import op

from manhunt.store.schema import filled

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "play_tables",
        *filled(uid=sa.String(64), config=sa.Text, state=sa.Text, created_at=sa.Double, changed_at=sa.Double),
        sa.PrimaryKeyConstraint("uid", name="pk_play_tables"),
    )
    op.create_index("ix_play_tables_changed_at", "play_tables", ["changed_at"])
    op.create_table(
        "play_table_games",
        *filled(game_uid=sa.String(64), table_uid=sa.String(64)),
        sa.PrimaryKeyConstraint("game_uid", name="pk_play_table_games"),
    )
    op.create_index("ix_play_table_games_table_uid", "play_table_games", ["table_uid"])
    op.create_table(
        "play_table_chat",
        *filled(table_uid=sa.String(64), number=sa.Integer, person=sa.Integer, name=sa.Text, text=sa.Text),
        *filled(at=sa.Double),
        sa.Column("play", sa.String(64), nullable=True),
        sa.Column("seat", sa.String(20), nullable=True),
        sa.PrimaryKeyConstraint("table_uid", "number", name="pk_play_table_chat"),
    )


def downgrade() -> None:
    for name in ("play_table_chat", "play_table_games", "play_tables"):
        op.drop_table(name)
