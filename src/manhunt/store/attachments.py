"""What people and programs add to a finished game: notes, analyses. One text of each kind a game."""

from sqlalchemy import delete, insert, select

from manhunt.store.connect import Store
from manhunt.store.schema import attachments

ANALYSIS, WORTH, NOTES = "analysis", "worth", "notes"


def load_attachment(store: Store, uid: str, kind: str) -> str | None:
    query = select(attachments.c.data).where(attachments.c.game_uid == uid, attachments.c.kind == kind)
    with store.reading() as connection:
        found = connection.execute(query).scalar()
    return None if found is None else str(found)


def save_attachment(store: Store, uid: str, kind: str, data: str) -> None:
    """In place of what was there; an empty text takes it away. The game must be in the store."""
    with store.writing() as connection:
        connection.execute(delete(attachments).where(attachments.c.game_uid == uid, attachments.c.kind == kind))
        if data:
            row = {"game_uid": uid, "kind": kind, "data": data, "changed_at": store.now(connection)}
            connection.execute(insert(attachments), row)
