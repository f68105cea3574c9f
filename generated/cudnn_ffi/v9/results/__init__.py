# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Dataclasses that cuDNN 9's functions answer, imported when the first of a module is made."""
