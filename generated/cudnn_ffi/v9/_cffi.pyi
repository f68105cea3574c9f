# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
from typing import Any

ffi: Any
