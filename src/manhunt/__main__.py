"""`python -m manhunt` is the command `manhunt`."""

import sys

from manhunt.cli.main import run

sys.exit(run())
