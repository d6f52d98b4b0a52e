"""A move may stand for a failed turn: which one is kept, so that a loaded game has the same events."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("running_moves", sa.Column("fault", sa.Text, nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("running_moves") as table:
        table.drop_column("fault")
