"""``python -m cudnnkit``."""

from __future__ import annotations

import sys

from cudnnkit.cli import main

if __name__ == "__main__":
    sys.exit(main())
