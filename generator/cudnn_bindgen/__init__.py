"""From cuDNN's headers to a model of its API, its history over all versions, and rendered bindings."""

__all__: list[str] = []
