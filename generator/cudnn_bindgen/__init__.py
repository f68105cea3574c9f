"""From cuDNN's headers to a model of its API, its history over all versions, and rendered bindings.

Other tools build on ``cudnn_bindgen.api``. Nothing is imported here, so that the commands that only read the history
start quickly and need the standard library alone.
"""
