# Written by `cudnn-bindgen render` from the headers of cuDNN 9.0.0 to 9.28.1; do not edit.
"""The functions of cuDNN 9, grouped by header and subject; each group is a base class of ``Library``."""
