"""Games and tournaments come from a secret instead of a seed; those of before keep their seed."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
TABLES = ("tournaments", "running_games")


def upgrade() -> None:
    for name in TABLES:
        op.add_column(name, sa.Column("secret", sa.String(64), nullable=True))


def downgrade() -> None:
    for name in TABLES:
        with op.batch_alter_table(name) as table:
            table.drop_column("secret")
