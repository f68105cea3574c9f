# Written by `cudnn-bindgen render` from the headers of cuDNN 8 and 9; do not edit.
"""What every version line of the bindings shares: loading, errors, enums, handles, conversions."""
