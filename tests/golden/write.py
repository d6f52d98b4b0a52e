"""Write the golden transcripts from their records: `make golden`."""

from pathlib import Path

from manhunt.play.record import load_record, replay
from transcript import format_transcript

HERE = Path(__file__).parent


def main() -> None:
    for path in sorted(HERE.glob("*.record.txt")):
        text = format_transcript(replay(load_record(path), path.name))
        path.with_name(path.name.replace(".record.", ".transcript.")).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
