# Written by `cudnn-bindgen render` from the headers of cuDNN 9.0.0 to 9.28.1; do not edit.
from typing import Any

ffi: Any
