"""A line of bindings in miniature, written by hand for the simulated library in ``cudnn.c``."""
