"""Build the documentation site into `build/docs`: `PYTHONPATH=packaging python -m docs_site`."""

import sys

from docs_site.build import ROOT, build


def main() -> int:
    site, pages = (ROOT / "build" / name for name in ("docs", "docs-pages"))
    code = build(site, pages)
    if code == 0:
        print(f"the site is in {site.relative_to(ROOT)}: open index.html there")
    return code


if __name__ == "__main__":
    sys.exit(main())
