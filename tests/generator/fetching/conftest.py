"""What tests of fetching share: small wheels made here, and a local package index that can be told to fail."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import re
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from cudnn_bindgen.cache import Cache
from cudnn_bindgen.fetch import Fetcher
from cudnn_bindgen.pip_settings import PipSettings
from cudnn_bindgen.progress import SilentReporter


def _headers_of(version: str) -> dict[str, str]:
    """The headers of a cuDNN as small as can be: ``cudnn.h`` includes the others, copies stand beside."""
    major, minor, patch = version.split(".")[:3]
    own = f"#define CUDNN_OPS_MAJOR {major}\n#define CUDNN_OPS_MINOR {minor}\n#define CUDNN_OPS_PATCH {patch}\n"
    files = {
        "cudnn_version.h": own.replace("_OPS", "").replace("PATCH", "PATCHLEVEL"),
        "cudnn_ops.h": f'#include "cudnn_version.h"\n{own}int cudnnOps(void);\n',
        "cudnn.h": '#include <stddef.h>\n#include "cudnn_version.h"\n#include "cudnn_ops.h"\nint cudnnTop(void);\n',
    }
    return {**files, **{name.replace(".h", f"_v{major}.h"): text for name, text in files.items()}}


def _make_wheel(
    folder: Path,
    version: str = "9.1.0.70",
    project: str = "nvidia-cudnn-cu12",
    *,
    headers: Mapping[str, str] | None = None,
    libraries: Mapping[str, bytes] | None = None,
    platform: str = "manylinux2014_x86_64",
    build: str = "",
    record: Mapping[str, bytes] | None = None,
    filler: int = 200_000,
) -> Path:
    """A wheel like NVIDIA's; `record`: contents that RECORD claims; `filler`: bytes that stand before the headers."""
    name = project.replace("-", "_")
    found = _headers_of(version) if headers is None else headers
    members = {"nvidia/cudnn/lib/libcudnn_filler.so.9": hashlib.sha256(b"seed").digest() * (filler // 32)}
    members |= {f"nvidia/cudnn/lib/{key}": content for key, content in (libraries or {}).items()}
    members |= {f"nvidia/cudnn/include/{key}": text.encode() for key, text in found.items()}
    members[f"{name}-{version}.dist-info/METADATA"] = f"Name: {project}\nVersion: {version}\n".encode()
    rows = []
    for key, content in members.items():
        digest = hashlib.sha256((record or {}).get(key, content)).digest()
        rows.append(f"{key},sha256={base64.urlsafe_b64encode(digest).rstrip(b'=').decode()},{len(content)}")
    members[f"{name}-{version}.dist-info/RECORD"] = "\n".join([*rows, ""]).encode()
    tag = f"-{build}" if build else ""
    path = folder / f"{name}-{version}{tag}-py3-none-{platform}.whl"
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for key, content in members.items():
            # Stored, so that the filler really lies between the end and the headers.
            archive.writestr(zipfile.ZipInfo(key, (2024, 1, 1, 0, 0, 0)), content)
    return path


@dataclass
class Request:
    method: str
    path: str
    range: str | None
    authorization: str | None


@dataclass
class IndexServer:
    """A package index on 127.0.0.1 that serves the wheels in `folder`.

    Attributes
    ----------
    ranges, head
        Whether ranges and HEAD are known.
    as_json
        Whether project pages are JSON (with sizes) or HTML.
    failures
        Part of a path to the statuses that its next requests get, in order.
    truncated
        Parts of paths whose bodies break off in the middle, always.
    pages
        Project to a page that replaces the real one, sent as `kind`.
    yanked
        File names that are marked as withdrawn.
    password
        ``name:password`` that every request must carry.
    sizes
        File name to a size that the index states instead of the true one.
    stall
        An event that every request for a wheel waits for.
    """

    folder: Path
    port: int = 0
    ranges: bool = True
    head: bool = True
    as_json: bool = True
    failures: dict[str, list[int]] = field(default_factory=dict)
    truncated: set[str] = field(default_factory=set)
    pages: dict[str, str] = field(default_factory=dict)
    kind: str = "text/html"
    yanked: set[str] = field(default_factory=set)
    sizes: dict[str, int] = field(default_factory=dict)
    password: str | None = None
    stall: threading.Event | None = None
    requests: list[Request] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/simple"

    @property
    def links(self) -> str:
        return f"http://127.0.0.1:{self.port}/links"

    def asked(self, part: str, method: str = "GET") -> list[Request]:
        return [one for one in self.requests if part in one.path and one.method == method]

    def wheels(self, project: str) -> list[Path]:
        return sorted(self.folder.glob(f"{project.replace('-', '_')}-*"))

    def page(self, project: str) -> tuple[str, str]:
        if project in self.pages:
            return self.kind, self.pages[project]
        digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in self.wheels(project)}
        if not self.as_json:
            rows = [
                f'<a href="/files/{name}#sha256={digest}"{" data-yanked=x" if name in self.yanked else ""}>{name}</a>'
                for name, digest in digests.items()
            ]
            return "text/html", f"<!DOCTYPE html><html><body>{''.join(rows)}</body></html>"
        files = [
            {
                "filename": name,
                "url": f"http://127.0.0.1:{self.port}/files/{name}",
                "hashes": {"sha256": digest},
                "size": self.sizes.get(name, (self.folder / name).stat().st_size),
                "yanked": name in self.yanked,
            }
            for name, digest in digests.items()
        ]
        page = {"meta": {"api-version": "1.1"}, "name": project, "versions": [], "files": files}
        return "application/vnd.pypi.simple.v1+json", json.dumps(page)

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        path, method = handler.path, handler.command
        self.requests.append(Request(method, path, handler.headers["Range"], handler.headers["Authorization"]))
        for part, statuses in self.failures.items():
            if part in path and statuses:
                self._send(handler, statuses.pop(0), b"no", {"Retry-After": "0"})
                return
        expected = self.password and f"Basic {base64.b64encode(self.password.encode()).decode()}"
        if expected and handler.headers["Authorization"] != expected:
            self._send(handler, 401, b"who?")
        elif project := re.fullmatch(r"/simple/([^/]+)/", path):
            known = project[1] in self.pages or self.wheels(project[1])
            kind, page = self.page(project[1])
            self._send(handler, 200 if known else 404, page.encode(), {"Content-Type": kind})
        elif path == "/links":
            rows = "".join(f'<a href="/files/{one.name}">{one.name}</a>' for one in sorted(self.folder.iterdir()))
            self._send(handler, 200, f"<html><body>{rows}</body></html>".encode(), {"Content-Type": "text/html"})
        elif (file := self.folder / Path(path).name).is_file() and path.startswith("/files/"):
            self._send_file(handler, file)
        else:
            self._send(handler, 404, b"nothing here")

    def _send_file(self, handler: BaseHTTPRequestHandler, file: Path) -> None:
        if self.stall is not None:
            self.stall.wait(30)
        if handler.command == "HEAD" and not self.head:
            self._send(handler, 405, b"")
            return
        content = file.read_bytes()
        asked = re.fullmatch(r"bytes=(\d*)-(\d*)", handler.headers["Range"] or "")
        if asked is None or not self.ranges:
            self._send(handler, 200, content)
            return
        size = len(content)
        if asked[1]:
            start, end = int(asked[1]), min(int(asked[2] or size - 1) + 1, size)
        else:
            start, end = max(0, size - int(asked[2])), size
        if start >= size:
            self._send(handler, 416, b"")
            return
        self._send(handler, 206, content[start:end], {"Content-Range": f"bytes {start}-{end - 1}/{size}"})

    def _send(
        self, handler: BaseHTTPRequestHandler, status: int, body: bytes, more: Mapping[str, str] | None = None
    ) -> None:
        handler.send_response(status)
        for key, value in {"Content-Length": str(len(body)), **(more or {})}.items():
            handler.send_header(key, value)
        handler.end_headers()
        if handler.command == "HEAD":
            return
        if any(part in handler.path for part in self.truncated):
            body = body[: len(body) // 2]
            handler.close_connection = True
        # A client that reads the status alone goes away before the body.
        with contextlib.suppress(ConnectionError):
            handler.wfile.write(body)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[IndexServer]:
    """A running index without wheels; put some into ``index.folder`` with `make_wheel`."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    state = IndexServer(tmp_path / "served")
    state.folder.mkdir()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            state.answer(self)

        def do_HEAD(self) -> None:
            state.answer(self)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            del format, args

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        state.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield state
        finally:
            if state.stall is not None:
                state.stall.set()
            server.shutdown()
            thread.join()


@pytest.fixture
def store(tmp_path: Path) -> Cache:
    """An empty cache of the test's own."""
    return Cache(tmp_path / "cache")


@pytest.fixture
def reporter() -> SilentReporter:
    return SilentReporter()


@pytest.fixture(scope="session")
def make_wheel() -> Callable[..., Path]:
    """``make_wheel(folder, "9.1.0.70", ...)``: write a small wheel, return its path."""
    return _make_wheel


@pytest.fixture(scope="session")
def headers_of() -> Callable[[str], dict[str, str]]:
    """``headers_of("9.1.0")``: the headers of a tiny cuDNN, name to text."""
    return _headers_of


@pytest.fixture
def fetcher(index: IndexServer, store: Cache, reporter: SilentReporter) -> Iterator[Callable[..., Fetcher]]:
    """``fetcher()``: a run that fetches from `index` into `store`, without pauses between retries."""
    with contextlib.ExitStack() as stack:

        def make(place: str | None = index.url, **settings: Any) -> Fetcher:
            options = PipSettings(**{"retries": 2, "timeout": 10.0, **settings})
            return stack.enter_context(
                Fetcher(store, index_url=place, settings=options, pause=0.0, jobs=4, reporter=reporter)
            )

        yield make
