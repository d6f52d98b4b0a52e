"""Variations of finished games, comments on their moments, and where games were played on from."""

import sqlalchemy as sa
from alembic import op

from manhunt.store.schema import filled

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "variations",
        *filled(game_uid=sa.String(64), number=sa.Integer, parent=sa.Integer, ply=sa.Integer, actions=sa.Text),
        *filled(name=sa.Text, owner=sa.String(64), changed_at=sa.Double),
        sa.PrimaryKeyConstraint("game_uid", "number", name="pk_variations"),
        sa.ForeignKeyConstraint(["game_uid"], ["games.uid"], name="fk_variations_game_uid"),
    )
    op.create_table(
        "ply_comments",
        *filled(game_uid=sa.String(64), variation=sa.Integer, ply=sa.Integer, owner=sa.String(64)),
        *filled(text=sa.Text, changed_at=sa.Double),
        sa.PrimaryKeyConstraint("game_uid", "variation", "ply", "owner", name="pk_ply_comments"),
        sa.ForeignKeyConstraint(["game_uid"], ["games.uid"], name="fk_ply_comments_game_uid"),
    )
    op.create_table(
        "game_origins",
        *filled(uid=sa.String(64), from_uid=sa.String(64), variation=sa.Integer, ply=sa.Integer),
        sa.PrimaryKeyConstraint("uid", name="pk_game_origins"),
    )


def downgrade() -> None:
    for name in ("game_origins", "ply_comments", "variations"):
        op.drop_table(name)
