# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""The functions of cuDNN 8, grouped by header and subject; each group is a base class of ``Library``."""
