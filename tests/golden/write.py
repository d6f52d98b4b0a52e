"""Write the golden transcripts from their records, and what docs/reference says of the bot protocol: `make golden`."""

import json
from pathlib import Path

from conversations import PAGES, write_pages
from manhunt.play.record import load_record, replay
from manhunt.protocol.schema import protocol_schema
from transcript import format_transcript

HERE = Path(__file__).parent


def main() -> None:
    for path in sorted(HERE.glob("*.record.txt")):
        text = format_transcript(replay(load_record(path), path.name))
        path.with_name(path.name.replace(".record.", ".transcript.")).write_text(text, encoding="utf-8")
    text = json.dumps(protocol_schema(), indent=1, ensure_ascii=False)
    PAGES.with_name("protocol.schema.json").write_text(text + "\n", encoding="utf-8")
    write_pages()


if __name__ == "__main__":
    main()
