"""What is on offer: indexes, mirrors, folders and pip's own settings."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cudnn_bindgen.errors import DownloadError, UnknownVersionError
from cudnn_bindgen.index import PROJECTS
from cudnn_bindgen.network import shown
from cudnn_bindgen.pip_settings import PipSettings, configuration_files, read_pip_settings

MakeWheel = Callable[..., Path]
MakeFetcher = Callable[..., Any]


def versions(fetcher: Any) -> list[str]:
    return [offer.version for offer in fetcher.listing.offers]


@pytest.mark.parametrize("as_json", [True, False])
def test_versions_of_all_projects_are_listed_in_order(
    index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, as_json: bool
) -> None:
    index.as_json = as_json
    make_wheel(index.folder, "9.10.0.56", "nvidia-cudnn-cu12")
    make_wheel(index.folder, "9.10.0.56", "nvidia-cudnn-cu13")
    make_wheel(index.folder, "9.9.0.52", "nvidia-cudnn-cu11")
    make_wheel(index.folder, "9.11.0.1.dev7", "nvidia-cudnn-cu12")
    make_wheel(index.folder, "9.12.0.1", "nvidia-cudnn-cu12", platform="win_amd64")
    (index.folder / "nvidia_cudnn_cu12-0.0.1.dev5.tar.gz").write_bytes(b"")
    listing = fetcher().listing
    assert [(offer.version, offer.packages, offer.development) for offer in listing.offers] == [
        ("9.9.0.52", ("nvidia-cudnn-cu11",), False),
        ("9.10.0.56", ("nvidia-cudnn-cu12", "nvidia-cudnn-cu13"), False),
        ("9.11.0.1.dev7", ("nvidia-cudnn-cu12",), True),
    ]
    assert [wheel.project for wheel in listing.offers[1].wheels] == ["nvidia-cudnn-cu13", "nvidia-cudnn-cu12"]
    assert set(listing.useless) == {"0.0.1.dev5", "9.12.0.1"}


def test_the_highest_build_of_one_wheel_comes_first(index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher) -> None:
    names = [make_wheel(index.folder, "8.5.0.96", build=build).name for build in ("", "2")]
    (offer,) = fetcher().listing.offers
    assert [wheel.filename for wheel in offer.wheels] == names[::-1]


@pytest.mark.parametrize("as_json", [True, False])
def test_what_was_withdrawn_is_taken_only_when_nothing_else_fits(
    index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, as_json: bool
) -> None:
    index.as_json = as_json
    good = make_wheel(index.folder, "9.25.0.15", "nvidia-cudnn-cu11")
    index.yanked = {
        make_wheel(index.folder, "9.25.0.15", "nvidia-cudnn-cu13").name,
        make_wheel(index.folder, "9.25.1.1").name,
    }
    listing = fetcher().listing
    assert [(offer.version, offer.yanked) for offer in listing.offers] == [("9.25.0.15", False), ("9.25.1.1", True)]
    assert listing.offer("9.25").wheels[0].filename == good.name
    assert listing.offer("9.25.1").version == "9.25.1.1"


def test_an_unknown_version_is_told_its_neighbours(index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher) -> None:
    for version in ("9.1.0.70", "9.2.0.82", "9.5.0.50"):
        make_wheel(index.folder, version)
    with pytest.raises(UnknownVersionError) as caught:
        fetcher().listing.offer("9.3")
    assert str(caught.value) == (
        "cuDNN 9.3 is not among the 3 known versions; the nearest are 9.1.0.70, 9.2.0.82, 9.5.0.50"
    )


def test_a_placeholder_without_a_wheel_is_told_apart(index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher) -> None:
    make_wheel(index.folder)
    (index.folder / "nvidia_cudnn_cu12-0.0.1.dev5.tar.gz").write_bytes(b"")
    with pytest.raises(UnknownVersionError) as caught:
        fetcher().listing.offer("0.0.1.dev5")
    assert str(caught.value) == (
        "cuDNN 0.0.1.dev5 has no Linux x86-64 wheel, only nvidia_cudnn_cu12-0.0.1.dev5.tar.gz; "
        "cudnn-bindgen fetch --list shows what there is"
    )


def test_an_index_without_cudnn(index: Any, fetcher: MakeFetcher) -> None:
    with pytest.raises(DownloadError) as caught:
        _ = fetcher().listing
    assert str(caught.value) == (
        f"{index.url} has no Linux x86-64 wheel of nvidia-cudnn-cu13, nvidia-cudnn-cu12 or nvidia-cudnn-cu11; "
        "name another index with --index-url"
    )


def test_a_page_that_is_no_index(index: Any, fetcher: MakeFetcher) -> None:
    index.pages = dict.fromkeys(PROJECTS, "<html><h1>Please log in</h1><a href='/login'>here</a></html>")
    with pytest.raises(DownloadError, match="has no Linux x86-64 wheel of"):
        _ = fetcher().listing


def test_json_that_is_no_index(index: Any, fetcher: MakeFetcher) -> None:
    index.kind = "application/vnd.pypi.simple.v1+json"
    index.pages = dict.fromkeys(PROJECTS, '{"meta": [], "files": 3}')
    with pytest.raises(DownloadError) as caught:
        _ = fetcher().listing
    assert str(caught.value).startswith(
        f"cannot list nvidia-cudnn-cu13 on {index.url}/: the answer is not a package index's ("
    )
    assert str(caught.value).endswith("(tried 2 times); try again later, or name another index with --index-url")


def test_an_index_that_keeps_failing(index: Any, fetcher: MakeFetcher) -> None:
    index.failures = {"/simple/": [500] * 9}
    with pytest.raises(DownloadError) as caught:
        _ = fetcher().listing
    assert str(caught.value) == (
        f"cannot list nvidia-cudnn-cu13 on {index.url}/: the server answers 500 Internal Server Error (tried 3 times); "
        "try again later, or name another index with --index-url"
    )
    assert len(index.requests) == 3


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_a_failure_that_passes_is_not_seen(
    index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher, status: int
) -> None:
    make_wheel(index.folder)
    index.failures = {"/simple/": [status, status]}
    assert versions(fetcher()) == ["9.1.0.70"]


def test_nobody_answers(fetcher: MakeFetcher) -> None:
    with pytest.raises(DownloadError) as caught:
        _ = fetcher("http://127.0.0.1:9/simple").listing
    assert str(caught.value) == (
        "cannot list nvidia-cudnn-cu13 on http://127.0.0.1:9/simple/: the server cannot be reached ([Errno 111] "
        "Connection refused) (tried 3 times); check the network and pip's settings, or use what is cached with "
        "--offline"
    )


@pytest.mark.parametrize("setting", ["cert", "client_cert"])
def test_a_file_of_certificates_that_is_not_there(fetcher: MakeFetcher, tmp_path: Path, setting: str) -> None:
    missing = str(tmp_path / "nowhere.pem")
    with pytest.raises(DownloadError, match=r"nowhere\.pem; correct pip's setting `cert` or `client-cert`"):
        _ = fetcher("https://127.0.0.1:9/simple", **{setting: missing}).listing


def test_credentials_are_sent_but_never_shown(index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher) -> None:
    make_wheel(index.folder)
    index.password = "me:s3cret@home"
    place = index.url.replace("//", "//me:s3cret%40home@")
    run = fetcher(place)
    assert run.fetch(["9.1"]) == ["9.1.0.70"]
    assert "s3cret" not in repr(run.listing)

    wrong = index.url.replace("//", "//me:s3cretive@")
    with pytest.raises(DownloadError) as caught:
        _ = fetcher(wrong).listing
    assert str(caught.value) == (
        f"cannot list nvidia-cudnn-cu13 on {index.url}/: the server answers 401 Unauthorized; "
        "put a name and password into the index URL or ~/.netrc"
    )
    assert not any("s3cret" in str(link) for link in _chain(caught.value))


def _chain(error: BaseException | None) -> list[BaseException]:
    return [] if error is None else [error, *_chain(error.__cause__ or error.__context__)]


def test_credentials_go_to_their_own_server_alone(index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher) -> None:
    make_wheel(index.folder)
    # Another name for the same server is another origin.
    foreign = index.links.replace("127.0.0.1", "localhost")
    run = fetcher(None, index_url=index.url.replace("//", "//me:secret@"), find_links=(foreign,))
    assert versions(run) == ["9.1.0.70"]
    assert {one.authorization for one in index.asked("/links")} == {None}
    assert None not in {one.authorization for one in index.asked("/simple/")}


def test_a_url_is_shown_without_secrets() -> None:
    assert shown("https://me:secret@host:8080/simple/?token=abc#x") == "https://host:8080/simple/"


@pytest.mark.parametrize("url", [True, False])
def test_a_folder_of_wheels_is_an_index(tmp_path: Path, make_wheel: MakeWheel, fetcher: MakeFetcher, url: bool) -> None:
    make_wheel(tmp_path / "wheels here", "9.1.0.70")
    make_wheel(tmp_path / "wheels here" / "nvidia-cudnn-cu13", "9.20.0.48", "nvidia-cudnn-cu13")
    place = tmp_path / "wheels here"
    run = fetcher(place.as_uri() if url else str(place))
    assert versions(run) == ["9.1.0.70", "9.20.0.48"]
    assert run.fetch(["9.1", "9.20"]) == ["9.1.0.70", "9.20.0.48"]


def test_an_index_on_disk_may_link_to_files_it_lacks(
    tmp_path: Path, make_wheel: MakeWheel, fetcher: MakeFetcher
) -> None:
    wheel = make_wheel(tmp_path / "files", "9.1.0.70")
    page = tmp_path / "simple" / "nvidia-cudnn-cu12" / "index.html"
    page.parent.mkdir(parents=True)
    gone = wheel.name.replace("9.1.0.70", "9.2.0.82")
    page.write_text("".join(f'<a href="../../files/{name}#sha256=0">{name}</a>' for name in (wheel.name, gone)))
    assert versions(fetcher(str(tmp_path / "simple"))) == ["9.1.0.70"]


def test_a_folder_that_is_not_there(tmp_path: Path, fetcher: MakeFetcher) -> None:
    with pytest.raises(DownloadError) as caught:
        _ = fetcher(str(tmp_path / "none")).listing
    assert str(caught.value) == f"{tmp_path}/none does not exist; name a folder with wheels or an index"


def test_all_places_that_pip_knows_are_read(
    tmp_path: Path, index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher
) -> None:
    make_wheel(index.folder, "9.1.0.70")
    make_wheel(tmp_path / "links", "9.2.0.82")
    make_wheel(tmp_path / "extra" / "nvidia-cudnn-cu12", "9.3.0.75")
    run = fetcher(
        None,
        index_url=index.url,
        extra_index_urls=((tmp_path / "extra").as_uri(),),
        find_links=(str(tmp_path / "links"), str(tmp_path / "not there")),
    )
    assert versions(run) == ["9.1.0.70", "9.2.0.82", "9.3.0.75"]


def test_a_page_of_links_is_read(index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher) -> None:
    make_wheel(index.folder, "9.1.0.70")
    make_wheel(index.folder, "1.0.0", "something-else")
    run = fetcher(None, find_links=(index.links,), no_index=True)
    assert versions(run) == ["9.1.0.70"]
    assert run.fetch(["9.1"]) == ["9.1.0.70"]


def test_a_file_on_this_machine_is_preferred_to_the_same_on_a_server(
    tmp_path: Path, index: Any, make_wheel: MakeWheel, fetcher: MakeFetcher
) -> None:
    make_wheel(index.folder)
    make_wheel(tmp_path / "links")
    run = fetcher(None, index_url=index.url, find_links=(str(tmp_path / "links"),))
    run.fetch(["9.1"])
    assert not index.asked("/files/")


def test_one_place_that_fails_is_told_and_passed_over(
    tmp_path: Path, make_wheel: MakeWheel, fetcher: MakeFetcher, reporter: Any
) -> None:
    make_wheel(tmp_path / "links")
    run = fetcher(None, index_url="http://127.0.0.1:9/simple", find_links=(str(tmp_path / "links"),), retries=0)
    assert versions(run) == ["9.1.0.70"]
    assert len(reporter.notes) == 1
    assert reporter.notes[0].startswith("cannot list nvidia-cudnn-cu13 on http://127.0.0.1:9/simple/: ")
    assert reporter.notes[0].endswith("; going on without it")


# --- pip's settings ------------------------------------------------------------------------------------------------


def test_no_settings_mean_the_default_index() -> None:
    assert read_pip_settings({}, []) == PipSettings()


def test_files_are_read_in_order_and_the_environment_wins(tmp_path: Path) -> None:
    first, second = tmp_path / "global.conf", tmp_path / "user.conf"
    first.write_text(
        "[global]\nindex-url = https://a/simple\nextra_index_url =\n    https://b/simple\n    https://c/simple\n"
        "timeout = 60\ntrusted-host = a b:8080\n[install]\nfind-links = /wheels https://d/page\n"
    )
    second.write_text("[global]\nindex-url = https://e/simple\ncert = /ca.pem\nretries = 1\n")
    settings = read_pip_settings({"PIP_PROXY": "http://p:3128", "PIP_DEFAULT_TIMEOUT": "7"}, [first, second])
    assert settings == PipSettings(
        index_url="https://e/simple",
        extra_index_urls=("https://b/simple", "https://c/simple"),
        find_links=("/wheels", "https://d/page"),
        timeout=7.0,
        retries=1,
        cert="/ca.pem",
        proxy="http://p:3128",
        trusted_hosts=("a", "b:8080"),
    )


def test_every_variable_of_pip_is_honoured() -> None:
    environment = {
        "PIP_INDEX_URL": "https://a/simple",
        "PIP_EXTRA_INDEX_URL": "https://b/simple https://c/simple",
        "PIP_FIND_LINKS": "/wheels",
        "PIP_NO_INDEX": "1",
        "PIP_CLIENT_CERT": "/me.pem",
        "PIP_TIMEOUT": "nonsense",
    }
    assert read_pip_settings(environment, []) == PipSettings(
        index_url="https://a/simple",
        extra_index_urls=("https://b/simple", "https://c/simple"),
        find_links=("/wheels",),
        no_index=True,
        client_cert="/me.pem",
    )


def test_a_broken_file_does_not_hide_the_others(tmp_path: Path) -> None:
    broken, whole = tmp_path / "broken.conf", tmp_path / "whole.conf"
    broken.write_text("no section\n")
    whole.write_text("[global]\nindex-url = https://a/simple\n")
    assert read_pip_settings({}, [whole, broken, tmp_path / "none"]).index_url == "https://a/simple"


@pytest.mark.skipif(os.name != "posix" or os.uname().sysname != "Linux", reason="the places are Linux's")
def test_the_files_are_pips() -> None:
    environment = {"HOME": "/home/me", "XDG_CONFIG_DIRS": "/etc/xdg:/opt/xdg", "PIP_CONFIG_FILE": "/mine.conf"}
    named = [str(path) for path in configuration_files(environment)]
    assert named[:5] == [
        "/opt/xdg/pip/pip.conf",
        "/etc/xdg/pip/pip.conf",
        "/etc/pip.conf",
        "/home/me/.pip/pip.conf",
        "/home/me/.config/pip/pip.conf",
    ]
    assert named[5].endswith("/pip.conf")
    assert named[6] == "/mine.conf"
    assert configuration_files({"HOME": "/home/me", "PIP_CONFIG_FILE": os.devnull}) == ()


@pytest.mark.network
def test_the_real_index_offers_every_known_version(store: Any, reporter: Any) -> None:
    from cudnn_bindgen.fetch import Fetcher

    with Fetcher(store, reporter=reporter) as run:
        try:
            offered = versions(run)
        except DownloadError as error:
            if os.environ.get("CI"):
                raise
            pytest.skip(str(error))
        if reporter.notes:
            pytest.skip(reporter.notes[0])
    assert {"8.5.0.96", "8.9.7.29", "9.0.0.312", "9.10.1.4", "9.26.0.33.dev63203437", "9.28.1.4"} <= set(offered)
    assert len(offered) >= 63
    assert run.listing.offer("9.28.0").version == "9.28.0.42"
