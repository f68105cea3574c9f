"""CUDA kernels of our own, for what neither cuDNN nor the array libraries do as fast as memory allows."""
