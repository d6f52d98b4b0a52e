"""Look up the locked versions in a vulnerability database: `python packaging/audit.py constraints.txt`.

Exit code 1 if a version has a known vulnerability. Some mirrors answer that they know none of anything, so a version
with well-known ones is looked up first. Where no database answers truly, that is said: nothing was checked then.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

VULNERABLE = "jinja2==2.10\n"
TIMEOUT_SECONDS = 600


class NoDatabase(Exception):
    """No vulnerability database can be asked from here."""


def main(constraints: Path) -> int:
    try:
        if not look_up(VULNERABLE)[0].get("vulns"):
            raise NoDatabase("the one that answers knows nothing of the holes of jinja2 2.10")
        rows = look_up(constraints.read_text(encoding="utf-8"))
    except NoDatabase as error:
        print(f"nothing was checked: no vulnerability database can be reached ({error})")
        return 0
    found = [row for row in rows if row.get("vulns")]
    for row in found:
        for hole in row["vulns"]:
            fixed = ", ".join(hole["fix_versions"]) or "none yet"
            print(f"{row['name']} {row['version']}: {hole['id']}; fixed in {fixed}")
    print(f"{len(rows)} locked versions checked, {len(found)} with known vulnerabilities")
    return 1 if found else 0


def look_up(requirements: str) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        asked, answer = Path(folder) / "requirements.txt", Path(folder) / "audit.json"
        asked.write_text(requirements, encoding="utf-8")
        command = ["-m", "pip_audit", "--requirement", str(asked), "--no-deps", "--disable-pip"]
        command += ["--format", "json", "--output", str(answer), "--progress-spinner", "off"]
        done = subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
        if not answer.is_file():
            raise NoDatabase((done.stderr.strip().splitlines() or ["no answer"])[-1][:200])
        rows: list[dict[str, Any]] = json.loads(answer.read_text(encoding="utf-8"))["dependencies"]
        return rows


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
