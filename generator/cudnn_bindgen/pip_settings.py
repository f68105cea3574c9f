"""Where pip would look for packages here: its configuration files and its environment variables, read the way pip does.

Whoever works behind a mirror has told pip already; nobody should have to say it twice.
"""

from __future__ import annotations

import configparser
import contextlib
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["PipSettings", "configuration_files", "read_pip_settings"]

# Later ones win, as in pip: what holds for all commands, then what holds for the commands that bring packages.
_SECTIONS = ("global", "install", "download")
_OTHER_NAMES = {"pypi-url": "index-url", "default-timeout": "timeout"}
_TIMEOUT = 15.0
_RETRIES = 4
_TRUE = {"1", "yes", "true", "on", "y", "t"}


@dataclass(frozen=True, slots=True)
class PipSettings:
    """What pip is told about indexes and the network.

    Attributes
    ----------
    index_url
        The main index; None for the default one.
    extra_index_urls, find_links
        More indexes; pages or folders that list files directly. URLs or paths.
    no_index
        Use `find_links` alone.
    timeout
        Seconds without a byte before a request counts as failed.
    retries
        How often a failed request is tried again.
    cert, client_cert, proxy, trusted_hosts
        As pip's options of these names.
    """

    index_url: str | None = None
    extra_index_urls: tuple[str, ...] = ()
    find_links: tuple[str, ...] = ()
    no_index: bool = False
    timeout: float = _TIMEOUT
    retries: int = _RETRIES
    cert: str | None = None
    client_cert: str | None = None
    proxy: str | None = None
    trusted_hosts: tuple[str, ...] = ()


def configuration_files(environment: Mapping[str, str] = os.environ) -> tuple[Path, ...]:
    """The configuration files of pip, those that win last: global, user, virtual environment, ``PIP_CONFIG_FILE``."""
    chosen = environment.get("PIP_CONFIG_FILE")
    if chosen == os.devnull:
        return ()
    home = Path(environment.get("HOME") or Path.home())
    user_config = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    if sys.platform == "win32":
        name = "pip.ini"
        everybody = [Path(environment.get("PROGRAMDATA", r"C:\ProgramData")) / "pip" / name]
        user = [home / "pip" / name, Path(environment.get("APPDATA", home)) / "pip" / name]
    else:
        name = "pip.conf"
        folders = environment.get("XDG_CONFIG_DIRS") or "/etc/xdg"
        everybody = [Path(folder) / "pip" / name for folder in reversed(folders.split(os.pathsep)) if folder]
        everybody.append(Path("/etc") / name)
        user = [home / ".pip" / name, user_config / "pip" / name]
        if sys.platform == "darwin":
            everybody.insert(0, Path("/Library/Application Support/pip") / name)
            user.append(home / "Library" / "Application Support" / "pip" / name)
    return (*everybody, *user, Path(sys.prefix) / name, *([Path(chosen)] if chosen else []))


def _from_files(files: Iterable[Path]) -> dict[str, str]:
    found: dict[str, dict[str, str]] = {section: {} for section in _SECTIONS}
    for path in files:
        parser = configparser.RawConfigParser()
        # pip itself stops at a broken file; for us the other files and the default index still do.
        with contextlib.suppress(OSError, UnicodeDecodeError, configparser.Error):
            parser.read_string(path.read_text(encoding="utf-8"))
        for section in _SECTIONS:
            if parser.has_section(section):
                found[section].update(parser.items(section))
    return {key: value for section in _SECTIONS for key, value in found[section].items()}


def _number(text: str | None, default: float) -> float:
    try:
        return float(text) if text else default
    except ValueError:
        return default


def read_pip_settings(environment: Mapping[str, str] = os.environ, files: Iterable[Path] | None = None) -> PipSettings:
    """What pip is told for this user and Python.

    Parameters
    ----------
    environment
        Instead of this process's environment.
    files
        Instead of pip's usual configuration files, those that win last.
    """
    raw = _from_files(configuration_files(environment) if files is None else files)
    raw.update(
        {key[4:].lower(): value for key, value in environment.items() if key.startswith("PIP_") and value.strip()}
    )
    values: dict[str, str] = {}
    for key, value in raw.items():
        plain = key.lower().replace("_", "-")
        values[_OTHER_NAMES.get(plain, plain)] = value.strip()
    return PipSettings(
        index_url=values.get("index-url") or None,
        extra_index_urls=tuple(values.get("extra-index-url", "").split()),
        find_links=tuple(values.get("find-links", "").split()),
        no_index=values.get("no-index", "").lower() in _TRUE,
        timeout=_number(values.get("timeout"), _TIMEOUT),
        retries=int(_number(values.get("retries"), _RETRIES)),
        cert=values.get("cert") or None,
        client_cert=values.get("client-cert") or None,
        proxy=values.get("proxy") or None,
        trusted_hosts=tuple(values.get("trusted-host", "").split()),
    )
