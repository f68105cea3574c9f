# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""The functions of cuDNN 9, grouped by header and subject; each group is a base class of ``Library``."""
