# Written by `cudnn-bindgen render` from the headers of cuDNN 8.5.0 to 8.9.7, 9.0.0 to 9.28.1; do not edit.
"""What every version line of the bindings shares: loading, errors, enums, handles, conversions."""
