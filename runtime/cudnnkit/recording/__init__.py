"""A function of operations, recorded once as a CUDA graph over planned memory, and replayed.

- `trees`: arguments and results as flat lists; `signature`: what of a call its recording depends on
- `constants`: values that are no arrays; `refusals`: what keeps a function from being recorded
- `inputs`: a recording's own arguments
- `planning`: lifetimes to offsets in one buffer
- `tracing`: observes lifetimes; `placing`: gives memory by the plan
- `recorded`: one recording; `recordings`: those of a function, by signature
- `captured`: what users hold; `decorator`: makes it
"""

from cudnnkit.recording.captured import Captured
from cudnnkit.recording.decorator import capture
from cudnnkit.recording.errors import CaptureError
from cudnnkit.recording.report import RecordingReport

__all__ = ["CaptureError", "Captured", "RecordingReport", "capture"]
