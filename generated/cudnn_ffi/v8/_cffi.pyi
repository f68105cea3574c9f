# Written by `cudnn-bindgen render` from the headers of cuDNN 8.5.0 to 8.9.7; do not edit.
from typing import Any

ffi: Any
