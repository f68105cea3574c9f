"""The parts of ``benchmarks/networks.py``: rows and goals, floors, contenders, timing, the report."""
