"""The parts of ``benchmarks/layers.py``: cases, operands, the two libraries, timing, results."""
