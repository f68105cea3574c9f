"""Headers out of wheels, whole or not at all: every way in which a server or a wheel may fail."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cudnn_bindgen.cache import MANIFEST, Cache, Manifest
from cudnn_bindgen.errors import DownloadError, HeaderNotFoundError, UnknownVersionError
from cudnn_bindgen.headers import cached, obtain

MakeWheel = Callable[..., Path]
MakeFetcher = Callable[..., Any]
HeadersOf = Callable[[str], dict[str, str]]


def visible(store: Cache) -> list[str]:
    """Everything in the cache, but the locks."""
    return sorted(
        str(path.relative_to(store.root)) for path in store.root.rglob("*") if path.is_file() and path.suffix != ".lock"
    )


@pytest.mark.parametrize("as_json", [True, False])
@pytest.mark.parametrize("head", [True, False])
def test_headers_come_by_ranges_and_whole(
    index: Any,
    make_wheel: MakeWheel,
    headers_of: HeadersOf,
    fetcher: MakeFetcher,
    store: Cache,
    as_json: bool,
    head: bool,
) -> None:
    index.as_json, index.head = as_json, head
    wheel = make_wheel(index.folder, "9.1.0.70", filler=1_000_000)
    assert fetcher().fetch(["9.1"]) == ["9.1.0.70"]
    folder = store.headers("9.1.0.70")
    assert {path.name: path.read_text() for path in folder.glob("*.h")} == headers_of("9.1.0")
    manifest = json.loads((folder / MANIFEST).read_text())
    assert (manifest["version"], manifest["wheel"]) == ("9.1.0.70", wheel.name)
    found = cached("9.1.0.70", store)
    assert found is not None
    assert (found.version, found.folder, found.entry) == ("9.1.0.70", folder, ("cudnn.h",))
    asked = index.asked("/files/")
    assert asked
    assert None not in {one.range for one in asked}
    # The end with the directory, and the headers; the filler is left where it is.
    assert len(asked) == 2


def test_what_is_cached_costs_no_request(index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher) -> None:
    make_wheel(index.folder)
    fetcher().fetch(["9.1"])
    index.requests.clear()
    assert fetcher().fetch(["9.1.0.70", "9.1.0"]) == ["9.1.0.70", "9.1.0.70"]
    assert index.requests == []
    fetcher().fetch(["9.1.0.70"], again=True)
    assert index.asked("/files/")


def test_a_damaged_entry_is_replaced(index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, store: Cache) -> None:
    make_wheel(index.folder)
    fetcher().fetch(["9.1"])
    (store.headers("9.1.0.70") / "cudnn_ops.h").write_text("damaged")
    fetcher().fetch(["9.1.0.70"])
    assert cached("9.1.0.70", store) is not None


def test_several_versions_at_once(index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, store: Cache) -> None:
    versions = [f"9.{minor}.0.{minor + 1}" for minor in range(12)]
    for version in versions:
        make_wheel(index.folder, version, filler=32)
    assert fetcher().fetch([*versions, versions[0]]) == [*versions, versions[0]]
    assert list(store.versions()) == versions


def test_a_server_without_ranges_costs_the_whole_wheel_and_says_so(
    index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, store: Cache, reporter: Any
) -> None:
    index.ranges = False
    wheel = make_wheel(index.folder, filler=2_000_000)
    fetcher().fetch(["9.1"])
    assert cached("9.1.0.70", store) is not None
    (note,) = reporter.notes
    assert note == (
        f"http://127.0.0.1:{index.port}/files/{wheel.name} cannot be read in parts, so the whole wheel is downloaded "
        "(2 MB)"
    )
    assert not any("downloads" in name for name in visible(store))


def test_of_a_whole_wheel_the_digest_is_compared(
    index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, store: Cache
) -> None:
    index.ranges = index.as_json = False
    path = make_wheel(index.folder)
    run = fetcher()
    _ = run.listing
    with path.open("r+b") as stream:
        stream.seek(1000)
        stream.write(b"changed")
    with pytest.raises(DownloadError) as caught:
        run.fetch(["9.1"])
    assert str(caught.value) == (
        f"http://127.0.0.1:{index.port}/files/{path.name}: its SHA-256 is not the one that the index states "
        "(tried 2 times); try again later, or name another index with --index-url"
    )
    assert visible(store) == []


def test_a_wheel_of_another_size_than_stated(
    index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, store: Cache
) -> None:
    path = make_wheel(index.folder)
    size = path.stat().st_size
    index.sizes = {path.name: size - 1}
    with pytest.raises(DownloadError, match=rf"it should have {size - 1} bytes and has {size} \(tried 2 times\)"):
        fetcher().fetch(["9.1"])
    assert visible(store) == []


@pytest.mark.parametrize("ranges", [True, False])
def test_a_truncated_download(
    index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, store: Cache, ranges: bool
) -> None:
    path = make_wheel(index.folder)
    index.ranges, index.truncated = ranges, {"/files/"}
    with pytest.raises(DownloadError) as caught:
        fetcher().fetch(["9.1"])
    assert str(caught.value) == (
        f"http://127.0.0.1:{index.port}/files/{path.name}: the connection broke off before everything had come "
        "(tried 3 times); check the network and pip's settings, or use what is cached with --offline"
    )
    assert visible(store) == []


@pytest.mark.parametrize("status", [500, 503])
def test_a_failure_that_passes(
    index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, store: Cache, status: int
) -> None:
    make_wheel(index.folder)
    index.failures = {"/files/": [status, status]}
    fetcher().fetch(["9.1"])
    assert cached("9.1.0.70", store) is not None


@pytest.mark.parametrize(("status", "phrase"), [(404, "Not Found"), (403, "Forbidden")])
def test_a_wheel_that_the_index_lists_and_the_server_refuses(
    index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, status: int, phrase: str
) -> None:
    make_wheel(index.folder)
    index.failures = {"/files/": [status] * 3}
    with pytest.raises(DownloadError, match=rf"the server answers {status} {phrase}; "):
        fetcher().fetch(["9.1"])
    assert len(index.asked("/files/")) == 1


def damage(path: Path, what: bytes, by: bytes) -> None:
    content = path.read_bytes()
    assert what in content
    path.write_bytes(content.replace(what, by))


@pytest.mark.parametrize("local", [True, False])
def test_a_member_that_fails_its_checksum(
    index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, store: Cache, local: bool
) -> None:
    path = make_wheel(index.folder)
    damage(path, b"int cudnnOps(void)", b"int cudnnOpz(void)")
    with pytest.raises(DownloadError, match=r"Bad CRC-32 for file 'nvidia/cudnn/include/cudnn_ops\.h'"):
        fetcher(str(index.folder) if local else index.url).fetch(["9.1"])
    assert visible(store) == []


@pytest.mark.parametrize("local", [True, False])
def test_a_member_that_is_not_what_record_states(
    index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, store: Cache, local: bool
) -> None:
    make_wheel(index.folder, record={"nvidia/cudnn/include/cudnn_ops.h": b"something else"})
    with pytest.raises(
        DownloadError, match=r"its member nvidia/cudnn/include/cudnn_ops\.h is not the one that its REC"
    ):
        fetcher(str(index.folder) if local else index.url).fetch(["9.1"])
    assert visible(store) == []


@pytest.mark.parametrize("local", [True, False])
def test_a_wheel_that_is_no_zip(
    index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, store: Cache, local: bool
) -> None:
    path = make_wheel(index.folder)
    path.write_bytes(b"<html>not here</html>" * 100)
    with pytest.raises(DownloadError, match=r"File is not a zip file") as caught:
        fetcher(str(index.folder) if local else index.url).fetch(["9.1"])
    assert path.name in str(caught.value)
    assert visible(store) == []


def test_a_wheel_without_headers(index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, store: Cache) -> None:
    path = make_wheel(index.folder, headers={})
    with pytest.raises(HeaderNotFoundError) as caught:
        fetcher().fetch(["9.1"])
    assert str(caught.value) == f"{path.name} holds no header files; choose another version"
    assert visible(store) == []


def test_another_wheel_of_the_version_helps_out(
    index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, store: Cache
) -> None:
    make_wheel(index.folder, project="nvidia-cudnn-cu13", headers={})
    path = make_wheel(index.folder, project="nvidia-cudnn-cu12")
    fetcher().fetch(["9.1"])
    manifest = Manifest.read(store.headers("9.1.0.70"))
    assert manifest is not None
    assert manifest.wheel == path.name


def test_headers_of_another_version_than_the_wheels(
    index: Any, make_wheel: MakeWheel, headers_of: HeadersOf, fetcher: MakeFetcher, store: Cache
) -> None:
    path = make_wheel(index.folder, "9.1.0.70", headers=headers_of("9.0.0"))
    with pytest.raises(HeaderNotFoundError) as caught:
        fetcher().fetch(["9.1"])
    assert str(caught.value) == f"{path.name} should hold cuDNN 9.1.0.70, but its headers say 9.0.0"
    assert visible(store) == []


def test_a_header_that_the_wheel_lacks(
    index: Any, make_wheel: MakeWheel, headers_of: HeadersOf, fetcher: MakeFetcher, store: Cache
) -> None:
    path = make_wheel(index.folder, headers={"cudnn.h": headers_of("9.1.0")["cudnn.h"], **_only_version(headers_of)})
    with pytest.raises(HeaderNotFoundError) as caught:
        fetcher().fetch(["9.1"])
    assert str(caught.value) == (
        f'{path.name}: cudnn.h includes "cudnn_ops.h", which is missing; bring the headers again, whole'
    )
    assert visible(store) == []


def _only_version(headers_of: HeadersOf) -> dict[str, str]:
    return {"cudnn_version.h": headers_of("9.1.0")["cudnn_version.h"]}


def test_a_member_that_would_leave_its_folder_is_not_written(
    index: Any, make_wheel: MakeWheel, headers_of: HeadersOf, fetcher: MakeFetcher, store: Cache
) -> None:
    make_wheel(index.folder, headers={**headers_of("9.1.0"), "../../../../evil.h": "int evil;\n"})
    fetcher().fetch(["9.1"])
    assert not any("evil" in name for name in visible(store))


def test_several_failures_are_one_sentence_and_the_rest_stays(
    index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, store: Cache
) -> None:
    make_wheel(index.folder, "9.1.0.70")
    bad = [make_wheel(index.folder, version, headers={}).name for version in ("9.2.0.82", "9.3.0.75")]
    with pytest.raises(HeaderNotFoundError) as caught:
        fetcher().fetch(["9.1", "9.2", "9.3"])
    assert str(caught.value) == (
        f"2 of 3 versions could not be fetched: 9.2.0.82 ({bad[0]} holds no header files; choose another version); "
        f"9.3.0.75 ({bad[1]} holds no header files; choose another version)"
    )
    assert store.versions() == ("9.1.0.70",)


def test_obtain_fetches_what_is_not_there(index: Any, make_wheel: MakeWheel, store: Cache) -> None:
    make_wheel(index.folder, "9.1.0.70")
    make_wheel(index.folder, "9.1.1.17")
    assert obtain("9.1.0", cache=store, index_url=index.url).version == "9.1.0.70"
    # A cached 9.1.0 is not the newest 9.1.
    assert obtain("9.1", cache=store, index_url=index.url).version == "9.1.1.17"
    with pytest.raises(UnknownVersionError, match=r"the nearest are 9\.1\.0\.70, 9\.1\.1\.17"):
        obtain("9.7", cache=store, index_url=index.url)


def test_obtain_falls_back_to_the_cache_when_no_index_answers(
    index: Any, make_wheel: MakeWheel, store: Cache, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_wheel(index.folder)
    obtain("9.1", cache=store, index_url=index.url)
    nowhere = str(tmp_path / "nowhere")
    assert obtain("9.1", cache=store, index_url=nowhere).version == "9.1.0.70"
    assert capsys.readouterr().err == (
        f"cudnn-bindgen: note: {nowhere} does not exist; name a folder with wheels or an index; "
        f"taking 9.1.0.70 from {store.headers('9.1.0.70')}\n"
    )
    with pytest.raises(DownloadError):
        obtain("9.2", cache=store, index_url=nowhere)
