"""How long people thought, the moves that a team has drafted, and how often a side took something back."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
COLUMNS = (
    ("running_moves", "seconds", sa.Double),
    ("running_games", "draft", sa.Text),
    ("running_games", "taken_back", sa.Text),
)


def upgrade() -> None:
    for table, name, kind in COLUMNS:
        op.add_column(table, sa.Column(name, kind, nullable=True))


def downgrade() -> None:
    for table_name, name, _ in COLUMNS:
        with op.batch_alter_table(table_name) as table:
            table.drop_column(name)
