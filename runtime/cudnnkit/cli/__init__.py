"""The command line: ``python -m cudnnkit info | cache | tune | explain | demo``."""

from cudnnkit.cli.main import main

__all__ = ["main"]
