"""The file of exceptions: how it is read, applied, and kept from outliving its purpose."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from cudnn_bindgen.errors import DataFileError
from cudnn_bindgen.exceptions import check_exceptions, load_exceptions, read_exceptions
from cudnn_bindgen.history import History
from cudnn_bindgen.inference import function_facts
from cudnn_bindgen.model import Api

DECLARATION = """
typedef struct h *cudnnHandle_t;
int cudnnCreate(cudnnHandle_t *h);
int cudnnXForward(cudnnHandle_t h, const int labels[]);
"""


def entry(**facts: object) -> str:
    return json.dumps({"cudnnXForward": {"labels": facts}})


def test_an_exception_changes_what_it_names_and_says_so(parsed: Callable[..., Api]) -> None:
    api = parsed(DECLARATION)
    exceptions = read_exceptions(entry(role="device_pointer", memory="device", reason="read by a kernel"))
    plain = function_facts(api, ())["cudnnXForward"].parameters[1]
    changed = function_facts(api, exceptions)["cudnnXForward"].parameters[1]
    assert (plain.role, plain.memory) == ("array", "host")
    assert (changed.role, changed.memory, changed.rule) == ("device_pointer", "device", "exception: read by a kernel")
    assert changed.direction == plain.direction
    check_exceptions(exceptions, [function_facts(api, ())])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "mine.json:1: not valid JSON"),
        ("[]", "an object of functions is expected, not list"),
        ('{"cudnnX": []}', "cudnnX must hold an object of parameters"),
        ('{"cudnnX": {"y": 3}}', "cudnnX.y must be an object of facts"),
        ('{"cudnnX": {"y": {"direction": "in"}}}', "cudnnX.y gives no reason"),
        ('{"cudnnX": {"y": {"reason": "so"}}}', "cudnnX.y changes nothing"),
        ('{"cudnnX": {"y": {"reason": "so", "colour": "red"}}}', "cudnnX.y changes colour, but facts are count,"),
    ],
)
def test_a_wrong_file_says_where(text: str, message: str) -> None:
    with pytest.raises(DataFileError, match=r"^mine\.json") as raised:
        read_exceptions(text, "mine.json")
    assert message in str(raised.value)


def test_an_exception_that_matches_nothing_is_an_error(parsed: Callable[..., Api]) -> None:
    rules = [function_facts(parsed(DECLARATION), ())]
    gone = read_exceptions('{"cudnnGone": {"x": {"direction": "in", "reason": "so"}}}')
    with pytest.raises(DataFileError, match=r"cudnnGone\.x matches no parameter of any known version; remove it"):
        check_exceptions(gone, rules)
    learnt = read_exceptions(entry(direction="in", reason="so"))
    with pytest.raises(DataFileError, match=r"cudnnXForward\.labels says what the rules say already"):
        check_exceptions(learnt, rules)


def test_every_exception_of_the_generator_is_needed() -> None:
    history = History.load(None)
    check_exceptions(load_exceptions(), [function_facts(history.api(version), ()) for version in history.versions])
    assert len(load_exceptions()) <= 12  # a rule comes before an exception
