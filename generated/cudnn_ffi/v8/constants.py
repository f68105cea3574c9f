# Written by `cudnn-bindgen render` from the headers of cuDNN 8; do not edit.
"""Macros of cuDNN 8, with the values of 8.9.7: compile-time facts, not those of the loaded library."""

from __future__ import annotations

from typing import Final

__all__ = [
    "ADV_INFER_MAJOR",
    "ADV_INFER_MINOR",
    "ADV_INFER_PATCH",
    "ADV_TRAIN_MAJOR",
    "ADV_TRAIN_MINOR",
    "ADV_TRAIN_PATCH",
    "ATTN_DISABLE_PROJ_BIASES",
    "ATTN_ENABLE_PROJ_BIASES",
    "ATTN_QUERYMAP_ALL_TO_ONE",
    "ATTN_QUERYMAP_ONE_TO_ONE",
    "ATTN_WKIND_COUNT",
    "BN_MIN_EPSILON",
    "CNN_INFER_MAJOR",
    "CNN_INFER_MINOR",
    "CNN_INFER_PATCH",
    "CNN_TRAIN_MAJOR",
    "CNN_TRAIN_MINOR",
    "CNN_TRAIN_PATCH",
    "DIM_MAX",
    "LRN_MAX_N",
    "LRN_MIN_BETA",
    "LRN_MIN_K",
    "LRN_MIN_N",
    "MAJOR",
    "MAX_DEVICE_VERSION",
    "MAX_SM_MAJOR_NUMBER",
    "MAX_SM_MINOR_NUMBER",
    "MIN_DEVICE_VERSION",
    "MINOR",
    "OPS_INFER_MAJOR",
    "OPS_INFER_MINOR",
    "OPS_INFER_PATCH",
    "OPS_TRAIN_MAJOR",
    "OPS_TRAIN_MINOR",
    "OPS_TRAIN_PATCH",
    "PATCHLEVEL",
    "RNN_PADDED_IO_DISABLED",
    "RNN_PADDED_IO_ENABLED",
    "SEQDATA_DIM_COUNT",
    "SEV_ERROR_EN",
    "SEV_INFO_EN",
    "SEV_WARNING_EN",
    "SM_50",
    "SM_52",
    "SM_53",
    "SM_60",
    "SM_61",
    "SM_62",
    "SM_70",
    "SM_72",
    "SM_75",
    "SM_80",
    "SM_86",
    "SM_87",
    "SM_89",
    "SM_90",
    "SM_9X_END",
    "VERSION",
]

MAJOR: Final = 8
MINOR: Final = 9
PATCHLEVEL: Final = 7
VERSION: Final = 8907
MAX_SM_MAJOR_NUMBER: Final = 9
MAX_SM_MINOR_NUMBER: Final = 0
MAX_DEVICE_VERSION: Final = 900
SM_50: Final = 500
SM_52: Final = 520
SM_53: Final = 530
SM_60: Final = 600
SM_61: Final = 610
SM_62: Final = 620
SM_70: Final = 700
SM_72: Final = 720
SM_75: Final = 750
SM_80: Final = 800
SM_86: Final = 860
SM_87: Final = 870
SM_89: Final = 890
SM_90: Final = 900
SM_9X_END: Final = 999
MIN_DEVICE_VERSION: Final = 500
OPS_INFER_MAJOR: Final = 8
OPS_INFER_MINOR: Final = 9
OPS_INFER_PATCH: Final = 7
DIM_MAX: Final = 8
LRN_MIN_N: Final = 1
LRN_MAX_N: Final = 16
LRN_MIN_K: Final = 1e-05
LRN_MIN_BETA: Final = 0.01
BN_MIN_EPSILON: Final = 0.0
SEV_ERROR_EN: Final = 2
SEV_WARNING_EN: Final = 4
SEV_INFO_EN: Final = 8
OPS_TRAIN_MAJOR: Final = 8
OPS_TRAIN_MINOR: Final = 9
OPS_TRAIN_PATCH: Final = 7
ADV_INFER_MAJOR: Final = 8
ADV_INFER_MINOR: Final = 9
ADV_INFER_PATCH: Final = 7
RNN_PADDED_IO_DISABLED: Final = 0
RNN_PADDED_IO_ENABLED: Final = 1
SEQDATA_DIM_COUNT: Final = 4
ATTN_QUERYMAP_ALL_TO_ONE: Final = 0
ATTN_QUERYMAP_ONE_TO_ONE: Final = 1
ATTN_DISABLE_PROJ_BIASES: Final = 0
ATTN_ENABLE_PROJ_BIASES: Final = 2
ATTN_WKIND_COUNT: Final = 8
ADV_TRAIN_MAJOR: Final = 8
ADV_TRAIN_MINOR: Final = 9
ADV_TRAIN_PATCH: Final = 7
CNN_INFER_MAJOR: Final = 8
CNN_INFER_MINOR: Final = 9
CNN_INFER_PATCH: Final = 7
CNN_TRAIN_MAJOR: Final = 8
CNN_TRAIN_MINOR: Final = 9
CNN_TRAIN_PATCH: Final = 7
