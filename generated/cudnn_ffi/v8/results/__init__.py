# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Dataclasses that cuDNN 8's functions answer, imported when the first of a module is made."""
