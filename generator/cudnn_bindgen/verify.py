"""Proof that the model is what a C compiler reads in the headers: one C file of static assertions, compiled, not run.

`verification_source` writes the file and `verify` compiles it against the real headers over the same stub headers that
the parser used (or a real CUDA, with `cuda_include`). Each assertion stands on a line of its own, which is how a
compiler's message finds its way back to a name.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cudnn_bindgen.errors import VerificationError
from cudnn_bindgen.model import Api
from cudnn_bindgen.preprocess import STUBS, HeaderSource
from cudnn_bindgen.verify_source import SHORT_ENUMS, Assertion, assertions, verification_source

__all__ = ["Report", "find_compiler", "verification_source", "verify"]

_FILE = "verify.c"
_COMPILERS = ("cc", "gcc", "clang")
# What a message may be about: a position in our file, else in a header.
_MESSAGE = re.compile(
    r"^(?P<file>[^\s:][^:]*):(?P<line>\d+)(?::\d+)?:\s+(?:fatal\s+)?(?P<kind>error|note):\s+(?P<text>.*)$"
)
_FLAGS = ("-std=gnu11", "-fsyntax-only", "-Wno-deprecated-declarations", "-Werror=switch")
_UNLIMITED = {"clang": ("-ferror-limit=0", "-fno-caret-diagnostics")}
_GCC = ("-fmax-errors=0", "-fno-diagnostics-show-caret")
_FALSE = '_Static_assert(0, "false");\n'
_MOST = 20


@dataclass(frozen=True, slots=True)
class Report:
    """What was proved.

    Attributes
    ----------
    counts
        Number of assertions by what they are about: enumerator, function, size, offset, ...
    unchecked
        What C cannot assert statically (bit-fields, types without a name), one phrase each.
    compiler
        The command that agreed.
    """

    version: str
    counts: Mapping[str, int]
    unchecked: tuple[str, ...]
    compiler: str

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    def __str__(self) -> str:
        most_first = sorted(self.counts.items(), key=lambda one: -one[1])
        listed = ", ".join(f"{about} {count}" for about, count in most_first)
        return f"cuDNN {self.version}: {self.total} facts agree with {self.compiler}\n  {listed}"


def find_compiler() -> list[str]:
    """The C compiler: ``CC`` if it is set, else the first of cc, gcc, clang.

    Raises
    ------
    VerificationError
        There is none.
    """
    try:
        named = shlex.split(os.environ.get("CC", ""))
    except ValueError as error:
        raise VerificationError(f"CC={os.environ['CC']} cannot be read ({error}); set CC to a C compiler") from error
    if named:
        if shutil.which(named[0]) is None:
            raise VerificationError(f"the C compiler CC={named[0]} is not there; set CC to one, or unset it")
        return named
    for name in _COMPILERS:
        if shutil.which(name):
            return [name]
    raise VerificationError(
        f"verifying needs a C compiler, and none of {', '.join(_COMPILERS)} is on PATH; install gcc or clang, or set CC"
    )


def verify(headers: HeaderSource, api: Api, *, cuda_include: Path | None = None, keep: Path | None = None) -> Report:
    """Compile the assertions about `api` against `headers`.

    Parameters
    ----------
    cuda_include
        A real CUDA include folder to use instead of the stub headers for CUDA's names.
    keep
        Write the C file here as well.

    Raises
    ------
    VerificationError
        The compiler is missing, or disagrees: the message lists each name and what the model says of it.
    """
    compiler = find_compiler()
    checks, unchecked = assertions(api)
    source = verification_source(api, entry=headers.entry)
    if keep is not None:
        from cudnn_bindgen.files import write_file

        write_file(keep, source)
    with tempfile.TemporaryDirectory(prefix="cudnn-verify-") as folder:
        file = Path(folder) / _FILE
        file.write_text(_FALSE, encoding="utf-8")
        if _run(compiler, _FLAGS, file, headers.folder, None) is None:
            raise VerificationError(
                f"the C compiler {' '.join(compiler)} accepts an assertion that is false, and so proves nothing; "
                "set CC to another"
            )
        file.write_text(source, encoding="utf-8")
        output = _compile(compiler, file, headers.folder, cuda_include)
    if output is not None:
        raise VerificationError(_disagreement(headers, source, output))
    counts = Counter(check.about for check in checks)
    return Report(api.version, dict(sorted(counts.items())), tuple(unchecked), " ".join(compiler))


def _compile(compiler: Sequence[str], file: Path, headers: Path, cuda_include: Path | None) -> str | None:
    """The compiler's messages, None when it agrees; see `SHORT_ENUMS` for why there are two runs."""
    for more in ((), ("-fshort-enums", f"-D{SHORT_ENUMS}")):
        output = _run(compiler, (*_FLAGS, *more), file, headers, cuda_include)
        if output is not None:
            return output
    return None


def _run(
    compiler: Sequence[str], flags: Sequence[str], file: Path, headers: Path, cuda_include: Path | None
) -> str | None:
    name = Path(compiler[0]).name
    extra = next((flags for part, flags in _UNLIMITED.items() if part in name), _GCC)
    # A cc that is clang refuses gcc's spelling; those flags only keep the messages complete.
    for unlimited in (extra, _UNLIMITED["clang"], ()):
        includes = [f"-I{headers}", *([f"-I{cuda_include}"] if cuda_include else []), f"-I{STUBS}"]
        command = [*compiler, *flags, *unlimited, *includes, str(file)]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
                env={**os.environ, "LC_ALL": "C"},
            )
        except OSError as error:
            raise VerificationError(
                f"the C compiler {compiler[0]} does not run: {error.strerror or error}; set CC to another"
            ) from error
        if done.returncode == 0:
            return None
        if "unrecognized" not in done.stderr and "unknown argument" not in done.stderr:
            return done.stderr or f"exit status {done.returncode}"
    return done.stderr


def _disagreement(headers: HeaderSource, source: str, output: str) -> str:
    lines = source.splitlines()
    # The compiler may say several things of one line; the first is enough.
    found: dict[tuple[str, str], str] = {}
    last: tuple[str, str] | None = None
    for text in output.splitlines():
        match = _MESSAGE.match(text)
        if not match:
            continue
        place = (Path(match["file"]).name, match["line"])
        if match["kind"] == "error":
            last = None if place in found else place
            found.setdefault(place, match["text"])
        elif place[0] == _FILE and last is not None and last[0] != _FILE:
            # An error inside a macro stands where a header defines it, and a note says which line of ours used it.
            found.setdefault(place, found.pop(last))
            last = None
    if not found:
        word = output.strip().splitlines()[-1] if output.strip() else "no message"
        return f"the C compiler failed on the headers in {headers.folder}: {word}"
    headers_fail = [f"{name}:{line}: {text}" for (name, line), text in found.items() if name != _FILE]
    if headers_fail:
        # What follows a broken header says nothing about the model.
        return f"the headers in {headers.folder} do not compile: {'; '.join(headers_fail[:_MOST])}"
    listed = [_claim(lines, int(line), text) for (_, line), text in found.items()]
    more = f"; and {len(listed) - _MOST} more" if len(listed) > _MOST else ""
    told = "; ".join(listed[:_MOST]) + more
    return f"cuDNN {headers.version}: the C compiler disagrees on {len(listed)} facts of the model: {told}"


def _claim(lines: Sequence[str], number: int, text: str) -> str:
    """What the model says on one line of our file, and the compiler's word where that adds something."""
    line = lines[number - 1] if 0 < number <= len(lines) else ""
    claim = Assertion.claim_of(line) or line.strip()
    return claim if "static assertion failed" in text or "static_assert" in text else f"{claim} ({text})"
