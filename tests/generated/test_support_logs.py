"""The library's messages reach ``logging``: bounded, off by default, and without deadlock."""

from __future__ import annotations

import gc
import logging
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cudnn_ffi._support.errors import ArgumentError

FATAL, ERROR, WARNING, INFO = range(4)


class Collect(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@pytest.fixture
def collected() -> Iterator[list[logging.LogRecord]]:
    logger, handler = logging.getLogger("cudnn_ffi"), Collect()
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    yield handler.records
    logger.removeHandler(handler)
    logger.setLevel(logging.NOTSET)


@pytest.fixture
def logs(fake: Any, collected: list[logging.LogRecord]) -> Iterator[Any]:
    assert collected == []
    yield fake.logs
    fake.logs.disable()


def say(fake: Any, severity: int, text: str, times: int = 1) -> None:
    fake._lib.cudnnSay(severity, text.encode(), times)


def test_off_by_default(fake: Any, logs: Any, collected: list[logging.LogRecord]) -> None:
    assert not logs.enabled
    say(fake, ERROR, "nobody hears this")
    assert logs.flush()
    assert collected == []


@pytest.mark.parametrize(
    "wrong", [{"severities": 5}, {"severities": ["loud"]}, {"logger": 5}, {"logger": None}, {"capacity": 0}]
)
def test_wrong_arguments_leave_it_off(logs: Any, wrong: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match=next(iter(wrong))):
        logs.enable(**wrong)
    assert not logs.enabled


def test_handler_that_exits_does_not_end_the_thread(fake: Any, logs: Any, collected: list[logging.LogRecord]) -> None:
    class Exit(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            raise SystemExit(record.getMessage())

    handler = Exit()
    logging.getLogger("cudnn_ffi").addHandler(handler)
    try:
        logs.enable()
        say(fake, ERROR, "first")
        say(fake, ERROR, "second")
        assert logs.flush()
    finally:
        logging.getLogger("cudnn_ffi").removeHandler(handler)
    assert [record.getMessage() for record in collected] == ["first", "second"]


def test_message_becomes_a_record(fake: Any, logs: Any, collected: list[logging.LogRecord]) -> None:
    logs.enable()
    say(fake, ERROR, "broken größe|  reason|time")
    say(fake, INFO, "not asked for")
    say(fake, WARNING, "100 % odd")
    assert logs.flush()
    assert [(r.levelno, r.getMessage()) for r in collected] == [(40, "broken größe\n  reason\ntime"), (30, "100 % odd")]
    message = collected[0].cudnn  # type: ignore[attr-defined]
    assert (message.severity, message.status, message.time) == ("error", 2000, 1700000000.5)
    assert (message.thread, message.device, message.handle, message.stream) == (77, 3, 0x10, 0x20)


def test_severities_choose(fake: Any, logs: Any, collected: list[logging.LogRecord]) -> None:
    logs.enable(severities=("info", "fatal"))
    assert fake._lib.fakeMask() == 0b1001
    for severity in (FATAL, ERROR, WARNING, INFO):
        say(fake, severity, "text")
    assert logs.flush()
    assert [r.levelno for r in collected] == [50, 20]


def test_disable_delivers_what_was_said_and_then_is_silent(
    fake: Any, logs: Any, collected: list[logging.LogRecord]
) -> None:
    logs.enable()
    say(fake, ERROR, "last", 100)
    logs.disable()
    assert len(collected) == 100
    assert fake._lib.fakeMask() == 0
    say(fake, ERROR, "too late")
    fake._lib.fakeForceMask(0xF)  # cuDNN 9 reports errors all the same
    say(fake, ERROR, "still too late")
    assert logs.dropped == 0
    logs.enable()
    assert logs.flush()
    assert len(collected) == 100


def test_full_queue_drops_and_counts(fake: Any, logs: Any, collected: list[logging.LogRecord]) -> None:
    stuck, go = threading.Event(), threading.Event()

    class Slow(logging.Handler):
        def emit(self, _: logging.LogRecord) -> None:
            stuck.set()
            go.wait(10)

    slow = Slow()
    logging.getLogger("cudnn_ffi").addHandler(slow)
    try:
        logs.enable(capacity=10)
        say(fake, ERROR, "first")
        assert stuck.wait(10)  # the handler is busy with it, and the queue is empty
        say(fake, ERROR, "more", 25)
        assert logs.dropped == 15
        go.set()
        assert logs.flush()
        assert len(collected) == 11
    finally:
        go.set()
        logging.getLogger("cudnn_ffi").removeHandler(slow)


@pytest.mark.timeout(120)
def test_eight_threads_do_not_deadlock(fake: Any, logs: Any, collected: list[logging.LogRecord]) -> None:
    """The library calls back with its lock held, while other threads wait for that lock, for the interpreter, for a
    handler that calls into the library itself, and drop descriptors for the collector to find inside the callback.
    """

    class CallsBack(logging.Handler):
        def emit(self, _: logging.LogRecord) -> None:
            fake._lib.cudnnTakeLock()

    handler = CallsBack()
    logging.getLogger("cudnn_ffi").addHandler(handler)
    threshold = gc.get_threshold()
    gc.set_threshold(5)
    logs.enable(capacity=1_000_000)
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for _ in range(50):
                cycle: list[Any] = [fake.create_tensor_descriptor()]
                cycle.append(cycle)
                del cycle
                say(fake, ERROR, f"thread {number}", 5)
                fake._lib.cudnnTakeLock()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(8)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert not any(thread.is_alive() for thread in threads)
        assert failures == []
        assert logs.flush(30)
    finally:
        gc.set_threshold(*threshold)
        logging.getLogger("cudnn_ffi").removeHandler(handler)
    assert logs.dropped == 0
    assert len(collected) == 8 * 50 * 5


def test_failing_handler_does_not_end_the_delivery(fake: Any, logs: Any, collected: list[logging.LogRecord]) -> None:
    class Fails(logging.Handler):
        def emit(self, _: logging.LogRecord) -> None:
            raise RuntimeError

    logger = logging.getLogger("cudnn_ffi")
    handler = Fails()
    logger.addHandler(handler)
    try:
        logs.enable()
        say(fake, ERROR, "one")
        say(fake, ERROR, "two")
        assert logs.flush()
    finally:
        logger.removeHandler(handler)
    assert [r.getMessage() for r in collected] == ["one", "two"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"severities": ["loud"]}, "'severities' must be of fatal, error, warning, info, not 'loud'"),
        ({"capacity": 0}, "'capacity' must be 1 or more, not 0"),
        ({"capacity": True}, "'capacity'"),
    ],
)
def test_wrong_settings(logs: Any, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        logs.enable(**arguments)
    assert not logs.enabled


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_forked_child_has_a_delivery_of_its_own(fake: Any, logs: Any, tmp_path: Path) -> None:
    class ToFile(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            with (tmp_path / str(os.getpid())).open("a") as stream:
                stream.write(record.getMessage() + "\n")

    handler = ToFile()
    logging.getLogger("cudnn_ffi").addHandler(handler)
    try:
        logs.enable()
        say(fake, ERROR, "parent")
        assert logs.flush()
        child = os.fork()
        if child == 0:
            say(fake, ERROR, "child")
            ok = logs.flush()
            os._exit(0 if ok else 1)
        deadline = time.monotonic() + 20
        while (done := os.waitpid(child, os.WNOHANG))[0] == 0 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert done == (child, 0)
    finally:
        logging.getLogger("cudnn_ffi").removeHandler(handler)
    assert (tmp_path / str(child)).read_text() == "child\n"
    assert (tmp_path / str(os.getpid())).read_text() == "parent\n"
