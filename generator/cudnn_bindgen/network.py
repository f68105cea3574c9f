"""Requests to an index or a file server: sessions, credentials that stay out of messages, retries, clear failures."""

from __future__ import annotations

import contextlib
import threading
import warnings
import zipfile
import zlib
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit, urlunsplit

import requests
import urllib3
from remotezip import RemoteZipError
from requests.auth import AuthBase, HTTPBasicAuth
from requests.utils import get_netrc_auth

from cudnn_bindgen.errors import DownloadError
from cudnn_bindgen.pip_settings import PipSettings

__all__ = ["Connection", "ContentError", "shown"]

_T = TypeVar("_T")

_TRANSIENT_STATUS = {408, 425, 429, 500, 502, 503, 504}
_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 30.0
# A wheel that arrives damaged twice is damaged where it lies.
_CONTENT_RETRIES = 1


class ContentError(Exception):
    """What came is not what was announced: too short, another size, another digest. The text says which."""


_CONTENT = (ContentError, zipfile.BadZipFile, zlib.error, EOFError, RemoteZipError, NotImplementedError)
_TRANSFER = (requests.RequestException, urllib3.exceptions.HTTPError)


def shown(url: str) -> str:
    """`url` as it may be printed: without credentials, and without a query, which may hold a token."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def _origin(url: str) -> tuple[str, str, int | None]:
    parts = urlsplit(url)
    with contextlib.suppress(ValueError):
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
        return parts.scheme, parts.hostname or "", port
    raise DownloadError(f"{shown(url)} is not a usable URL; correct the index settings")


class _Credentials(AuthBase):
    """Sends a name and password to the origin they were given for and to nobody else."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, int | None], tuple[str, str]] = {}

    def take(self, url: str) -> str:
        parts = urlsplit(url)
        user, at, host = parts.netloc.rpartition("@")
        if at:
            name, _, password = user.partition(":")
            self._known[_origin(url)] = (unquote(name), unquote(password))
        return urlunsplit((parts.scheme, host, parts.path, parts.query, parts.fragment))

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        url = str(request.url)
        known = self._known.get(_origin(url)) or get_netrc_auth(url)
        return HTTPBasicAuth(*known)(request) if known else request


class _Session(requests.Session):
    """A session that does what pip's settings say."""

    def __init__(self, settings: PipSettings, credentials: _Credentials) -> None:
        super().__init__()
        self.auth = credentials
        self.cert = settings.client_cert
        if settings.proxy:
            self.proxies = {"http": settings.proxy, "https": settings.proxy}
        self._settings = settings

    def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:
        """Send, with the configured timeout and certificates; a redirect to another host is judged for itself."""
        if options.get("timeout") is None:
            options["timeout"] = self._settings.timeout
        parts = urlsplit(str(request.url))
        trusted = {parts.hostname, parts.netloc} & set(self._settings.trusted_hosts)
        if trusted or self._settings.cert:
            options["verify"] = False if trusted else self._settings.cert
        with warnings.catch_warnings():
            if trusted:
                warnings.simplefilter("ignore", urllib3.exceptions.InsecureRequestWarning)
            return super().send(request, **options)


class Connection:
    """The way to every server of one run; may be used from several threads.

    Parameters
    ----------
    settings
        Certificates, proxy, timeout and retries.
    pause
        Seconds before the first retry; doubled for each further one.
    """

    def __init__(self, settings: PipSettings, *, pause: float = _PAUSE_SECONDS) -> None:
        self.settings = settings
        self._pause = pause
        self._credentials = _Credentials()
        self._local = threading.local()
        self._sessions: list[requests.Session] = []
        self._stopped = threading.Event()

    def close(self) -> None:
        """End the run: waiting retries give up, sessions are closed."""
        self._stopped.set()
        for session in self._sessions:
            session.close()

    def stop(self) -> None:
        """Make other threads give up at their next step."""
        self._stopped.set()

    def checkpoint(self) -> None:
        """Raise when the run was stopped."""
        if self._stopped.is_set():
            raise DownloadError("the run was stopped")

    def clean(self, url: str) -> str:
        """`url` without its credentials, which are kept for requests to its origin."""
        return self._credentials.take(url)

    @property
    def session(self) -> requests.Session:
        """The session of the calling thread."""
        session: requests.Session | None = getattr(self._local, "session", None)
        if session is None:
            session = self._local.session = _Session(self.settings, self._credentials)
            self._sessions.append(session)
        return session

    def get(self, url: str, headers: Mapping[str, str] | None = None) -> requests.Response:
        """The response to a request for raw bytes, whose body is not read yet; close it.

        Raises
        ------
        requests.RequestException
            Nothing came, or a status of 400 and above.
        """
        response = self.session.get(url, stream=True, headers={"Accept-Encoding": "identity", **(headers or {})})
        try:
            response.raise_for_status()
        except BaseException:
            response.close()
            raise
        return response

    def retrying(self, what: str, action: Callable[[], _T]) -> _T:
        """The value of `action`, tried again after a failure that may pass.

        Raises
        ------
        DownloadError
            It failed for good: "<what>: <why>; <what to do>".
        """
        attempt = 0
        while True:
            self.checkpoint()
            try:
                return action()
            except (*_TRANSFER, *_CONTENT) as error:
                allowed = _retries(error, self.settings.retries)
                if attempt >= allowed:
                    tried = f" (tried {attempt + 1} times)" if attempt else ""
                    raise DownloadError(f"{what}: {_explain(error)}{tried}; {_remedy(error)}") from error
                asked = _retry_after(error)
                pause = self._pause * 2**attempt if asked is None else asked
                self._stopped.wait(min(pause, _LONGEST_PAUSE_SECONDS))
                attempt += 1
            except OSError as error:
                # How requests tells that a file of certificates is missing; other files are the action's business.
                if error.errno is None and "certificate" in str(error):
                    raise DownloadError(f"{what}: {error}; correct pip's setting `cert` or `client-cert`") from error
                raise


def _status(error: Exception) -> int | None:
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return error.response.status_code
    return None


def _retry_after(error: Exception) -> float | None:
    if isinstance(error, requests.HTTPError) and error.response is not None:
        with contextlib.suppress(KeyError, ValueError):
            return max(0.0, float(error.response.headers["Retry-After"]))
    return None


def _retries(error: Exception, configured: int) -> int:
    if isinstance(error, _CONTENT):
        return min(_CONTENT_RETRIES, configured)
    status = _status(error)
    if status is not None:
        return configured if status in _TRANSIENT_STATUS else 0
    permanent = (
        requests.exceptions.SSLError,
        requests.exceptions.InvalidURL,
        requests.exceptions.InvalidSchema,
        requests.exceptions.MissingSchema,
        requests.TooManyRedirects,
    )
    return 0 if isinstance(error, permanent) else configured


def _explain(error: Exception) -> str:
    status = _status(error)
    if status is not None:
        with contextlib.suppress(ValueError):
            return f"the server answers {status} {HTTPStatus(status).phrase}"
        return f"the server answers {status}"
    if isinstance(error, ContentError | RemoteZipError):
        return str(error)
    if isinstance(error, zipfile.BadZipFile | zlib.error | EOFError | NotImplementedError):
        return f"it is damaged ({error or 'it ends too early'})"
    if isinstance(error, requests.Timeout | urllib3.exceptions.TimeoutError):
        return "the server does not answer in time"
    if isinstance(error, requests.exceptions.SSLError):
        return "the server's certificate is not accepted"
    if isinstance(error, requests.exceptions.ProxyError):
        return "the proxy cannot be reached"
    if isinstance(error, requests.exceptions.ChunkedEncodingError | urllib3.exceptions.ProtocolError):
        return "the connection broke off before everything had come"
    if isinstance(error, requests.ConnectionError):
        # "...: Failed to establish a new connection: [Errno 111] Connection refused')": the end is what matters.
        reason = getattr(error.args[0], "reason", error.args[0]) if error.args else error
        end = str(reason).rpartition(": ")[2].strip("')")
        return f"the server cannot be reached ({end or 'no reason given'})"
    return f"the request failed ({type(error).__name__})"


def _remedy(error: Exception) -> str:
    status = _status(error)
    if status in (401, 403):
        return "put a name and password into the index URL or ~/.netrc"
    if isinstance(error, requests.exceptions.SSLError):
        return "name the certificates with pip's setting `cert`"
    if status is not None or isinstance(error, _CONTENT):
        return "try again later, or name another index with --index-url"
    return "check the network and pip's settings, or use what is cached with --offline"
