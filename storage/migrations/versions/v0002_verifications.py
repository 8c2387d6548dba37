"""Tasks are verified again, and retired where they no longer hold."""

from alembic import op

revision = "0002"
down_revision = "0001"

STATEMENTS = (
    """ALTER TABLE tasks ADD COLUMN retired TEXT NOT NULL DEFAULT ''""",
    """CREATE TABLE verifications (
        id INTEGER NOT NULL,
        task TEXT NOT NULL,
        at TEXT NOT NULL,
        outcome TEXT NOT NULL,
        reason TEXT NOT NULL,
        template_hash TEXT NOT NULL,
        clock TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (id),
        FOREIGN KEY(task) REFERENCES tasks (id) ON DELETE CASCADE
    )""",
    """CREATE INDEX ix_verifications_task ON verifications (task, id)""",
)


def upgrade() -> None:
    """Add the column and the table."""
    for statement in STATEMENTS:
        op.execute(statement)
