"""Shared objects out of wheels: those that are asked for, whole or not at all."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cudnn_bindgen.cache import MANIFEST, Cache
from cudnn_bindgen.errors import HeaderNotFoundError, OutputError, UnknownVersionError
from cudnn_bindgen.libraries import fetch_libraries

MakeWheel = Callable[..., Path]
MakeFetcher = Callable[..., Any]
HeadersOf = Callable[[str], dict[str, str]]


def visible(store: Cache) -> list[str]:
    """Everything in the cache, but the locks."""
    return sorted(
        str(path.relative_to(store.root)) for path in store.root.rglob("*") if path.is_file() and path.suffix != ".lock"
    )


@pytest.mark.parametrize("ranges", [True, False])
def test_libraries_come_as_asked_for(
    index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, store: Cache, ranges: bool
) -> None:
    index.ranges = ranges
    contents = {f"libcudnn{name}.so.9": name.encode() * 300_000 for name in ("_x", "_ops", "_engines")}
    make_wheel(index.folder, libraries=contents)
    folder = fetch_libraries("9.1.0.70", ["libcudnn_x.so.9"], fetcher=fetcher())
    assert folder == store.libraries("9.1.0.70")
    assert sorted(path.name for path in folder.iterdir()) == ["libcudnn_x.so.9", MANIFEST]
    index.requests.clear()
    assert fetch_libraries("9.1.0.70", ["libcudnn_x*"], cache=store, offline=True) == folder
    assert index.requests == []
    # More of them later: the folder keeps what it has.
    fetch_libraries("9.1.0.70", ["libcudnn_o*.so.9"], fetcher=fetcher())
    assert sorted(path.name for path in folder.iterdir()) == ["libcudnn_ops.so.9", "libcudnn_x.so.9", MANIFEST]
    assert (folder / "libcudnn_ops.so.9").read_bytes() == contents["libcudnn_ops.so.9"]


def test_a_library_that_the_wheel_lacks(index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, store: Cache) -> None:
    path = make_wheel(index.folder)
    with pytest.raises(HeaderNotFoundError) as caught:
        fetch_libraries("9.1.0.70", ["libcudnn.so.9"], fetcher=fetcher())
    assert str(caught.value) == f"{path.name} holds no libcudnn.so.9; choose another version"
    with pytest.raises(UnknownVersionError, match="lacks libraries of cuDNN"):
        fetch_libraries("9.1.0.70", ["libcudnn.so.9"], cache=store, offline=True)
    assert visible(store) == []


FULL_DEVICE = Path("/dev/full")


@pytest.mark.skipif(not FULL_DEVICE.exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("ranges", [True, False])
def test_a_disk_that_fills_up_while_a_library_is_written(
    index: Any,
    make_wheel: MakeWheel,
    fetcher: MakeFetcher,
    store: Cache,
    monkeypatch: pytest.MonkeyPatch,
    ranges: bool,
) -> None:
    index.ranges = ranges
    make_wheel(index.folder, libraries={"libcudnn.so.9": b"x" * 100_000})
    usual = Path.open

    def onto_full(self: Path, mode: str = "r", *arguments: Any, **options: Any) -> Any:
        target = FULL_DEVICE if mode == "wb" and self.name == "libcudnn.so.9" else self
        return usual(target, mode, *arguments, **options)

    monkeypatch.setattr(Path, "open", onto_full)
    with pytest.raises(OutputError, match=r"cannot write .*libcudnn\.so\.9: No space left on device; free the disk"):
        fetch_libraries("9.1.0.70", ["libcudnn.so.9"], fetcher=fetcher())
    assert visible(store) == []


KILLED = """
import sys
from pathlib import Path
from cudnn_bindgen.cache import Cache
from cudnn_bindgen.libraries import fetch_libraries
from cudnn_bindgen.fetch import Fetcher
from cudnn_bindgen.wheels import WheelSource

save = WheelSource.save
def told(self, wheel, wanted, folder):
    saved = save(self, wheel, wanted, folder)
    print("half", flush=True)
    sys.stdin.read()
    return saved
WheelSource.save = told
with Fetcher(Cache(Path(sys.argv[1])), index_url=sys.argv[2]) as run:
    fetch_libraries("9.1.0.70", ["libcudnn.so.9"], fetcher=run)
"""


def test_a_killed_run_leaves_nothing_that_is_believed(
    index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, store: Cache
) -> None:
    make_wheel(index.folder, libraries={"libcudnn.so.9": b"x" * 100_000})
    command = [sys.executable, "-c", KILLED, str(store.root), str(index.folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "half\n"
        process.send_signal(signal.SIGKILL)
    assert not store.libraries("9.1.0.70").exists()
    # Its lock went with it, too.
    folder = fetch_libraries("9.1.0.70", ["libcudnn.so.9"], fetcher=fetcher())
    assert (folder / "libcudnn.so.9").read_bytes() == b"x" * 100_000
