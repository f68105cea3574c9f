"""The command ``cudnn-bindgen``: one module a subcommand, each with ``register`` and a function that runs it.

Only the standard library is imported here, so that `list`, `show` and `diff` answer without the ``generator`` extra.
"""

from cudnn_bindgen.cli.main import main

__all__ = ["main"]
