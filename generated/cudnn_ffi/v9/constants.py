# Written by `cudnn-bindgen render` from the headers of cuDNN 9; do not edit.
"""Macros of cuDNN 9, with the values of 9.28.1: compile-time facts, not those of the loaded library."""

from __future__ import annotations

from typing import Final

__all__ = [
    "ADV_MAJOR",
    "ADV_MINOR",
    "ADV_PATCH",
    "ATTN_DISABLE_PROJ_BIASES",
    "ATTN_ENABLE_PROJ_BIASES",
    "ATTN_QUERYMAP_ALL_TO_ONE",
    "ATTN_QUERYMAP_ONE_TO_ONE",
    "ATTN_WKIND_COUNT",
    "BN_MIN_EPSILON",
    "CNN_MAJOR",
    "CNN_MINOR",
    "CNN_PATCH",
    "DIM_MAX",
    "GRAPH_MAJOR",
    "GRAPH_MINOR",
    "GRAPH_PATCH",
    "LRN_MAX_N",
    "LRN_MIN_BETA",
    "LRN_MIN_K",
    "LRN_MIN_N",
    "MAJOR",
    "MAX_DEVICE_VERSION",
    "MAX_SM_MAJOR_NUMBER",
    "MAX_SM_MINOR_NUMBER",
    "MINOR",
    "OPS_MAJOR",
    "OPS_MINOR",
    "OPS_PATCH",
    "PATCHLEVEL",
    "RNN_PADDED_IO_DISABLED",
    "RNN_PADDED_IO_ENABLED",
    "SEQDATA_DIM_COUNT",
    "SEV_ERROR_EN",
    "SEV_INFO_EN",
    "SEV_WARNING_EN",
    "VERSION",
]

MAJOR: Final = 9
MINOR: Final = 28
PATCHLEVEL: Final = 1
VERSION: Final = 92801
MAX_SM_MAJOR_NUMBER: Final = 12
MAX_SM_MINOR_NUMBER: Final = 1
MAX_DEVICE_VERSION: Final = 1210
GRAPH_MAJOR: Final = 9
GRAPH_MINOR: Final = 28
GRAPH_PATCH: Final = 1
SEV_ERROR_EN: Final = 2
SEV_WARNING_EN: Final = 4
SEV_INFO_EN: Final = 8
DIM_MAX: Final = 8
OPS_MAJOR: Final = 9
OPS_MINOR: Final = 28
OPS_PATCH: Final = 1
LRN_MIN_N: Final = 1
LRN_MAX_N: Final = 16
LRN_MIN_K: Final = 1e-05
LRN_MIN_BETA: Final = 0.01
BN_MIN_EPSILON: Final = 0.0
ADV_MAJOR: Final = 9
ADV_MINOR: Final = 28
ADV_PATCH: Final = 1
RNN_PADDED_IO_DISABLED: Final = 0
RNN_PADDED_IO_ENABLED: Final = 1
SEQDATA_DIM_COUNT: Final = 4
ATTN_QUERYMAP_ALL_TO_ONE: Final = 0
ATTN_QUERYMAP_ONE_TO_ONE: Final = 1
ATTN_DISABLE_PROJ_BIASES: Final = 0
ATTN_ENABLE_PROJ_BIASES: Final = 2
ATTN_WKIND_COUNT: Final = 8
CNN_MAJOR: Final = 9
CNN_MINOR: Final = 28
CNN_PATCH: Final = 1
