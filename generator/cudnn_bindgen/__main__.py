"""``python -m cudnn_bindgen``: the command ``cudnn-bindgen``."""

import sys

from cudnn_bindgen.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
