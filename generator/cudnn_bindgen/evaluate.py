"""Constant expressions with C's own arithmetic: promotions, unsigned wrap, truncating division, suffixes, casts."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

__all__ = ["Arithmetic", "Constant", "NotConstantError", "code_units", "evaluate", "parse_number", "unquote"]


class NotConstantError(Exception):
    """The expression has no constant value; the message says why, `node` is the part at fault."""

    def __init__(self, message: str, node: Any = None) -> None:
        super().__init__(message)
        self.node = node


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """An arithmetic type: its width in bits, whether it is signed, whether it is floating."""

    bits: int
    signed: bool = True
    floating: bool = False

    def wrap(self, value: int | float) -> int | float:
        if self.floating:
            return _single(float(value)) if self.bits == 32 else float(value)
        if isinstance(value, float) and not math.isfinite(value):
            raise NotConstantError("a number that overflows")
        number = int(value) & ((1 << self.bits) - 1)
        if self.signed and number >> (self.bits - 1):
            number -= 1 << self.bits
        return number

    def holds(self, value: int) -> bool:
        return self.wrap(value) == value


def _single(value: float) -> float:
    try:
        single: float = struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)
    return single


INT = Arithmetic(32)
UINT = Arithmetic(32, signed=False)
LONG = Arithmetic(64)
ULONG = Arithmetic(64, signed=False)
FLOAT = Arithmetic(32, floating=True)
DOUBLE = Arithmetic(64, floating=True)
BOOL = Arithmetic(8, signed=False)


@dataclass(frozen=True, slots=True)
class Constant:
    """A value and its type."""

    value: int | float
    type: Arithmetic = INT

    @classmethod
    def of_enumerator(cls, value: int) -> Constant:
        """An enumerator's constant: of the first type that holds it, as gcc does."""
        return cls(value, next((one for one in (INT, UINT, LONG) if one.holds(value)), ULONG))


_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)([uUlL]*)")
_SUFFIX = re.compile(r"(?:[uU]?(?:l{0,2}|L{0,2})|(?:l{1,2}|L{1,2})[uU])")
_FLOAT = re.compile(r"((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|0[xX][0-9a-fA-F.]+[pP][+-]?\d+)[fFlL]?")


def parse_number(text: str) -> Constant:
    """A number as C reads it: base, suffix, and the first type that holds it."""
    match = _INTEGER.fullmatch(text)
    if match:
        digits, suffix = match[1], match[2]
        if not _SUFFIX.fullmatch(suffix):
            raise NotConstantError(f"{text} has no valid suffix")
        decimal = False
        try:
            if digits[:2] in ("0x", "0X"):
                value = int(digits, 16)
            elif digits[:2] in ("0b", "0B"):
                value = int(digits, 2)
            elif digits[0] == "0":
                value = int(digits, 8)
            else:
                value, decimal = int(digits), True
        except ValueError:
            raise NotConstantError(f"{text} is no octal number") from None
        unsigned = "u" in suffix.lower()
        candidates = [LONG, ULONG] if "l" in suffix.lower() else [INT, UINT, LONG, ULONG]
        if unsigned:
            candidates = [one for one in candidates if not one.signed]
        elif decimal:
            candidates = [one for one in candidates if one.signed]
        for candidate in candidates:
            if candidate.holds(value):
                return Constant(value, candidate)
        raise NotConstantError(f"{text} fits no integer type")
    match = _FLOAT.fullmatch(text)
    if match:
        digits = match[1]
        number = float.fromhex(digits) if digits[:2] in ("0x", "0X") else float(digits)
        kind = FLOAT if text[-1] in "fF" else DOUBLE
        return Constant(kind.wrap(number), kind)
    raise NotConstantError(f"{text!r} is no number")


_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27}
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]+|[0-7]{1,3}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)|(.)", re.DOTALL)


def _characters(body: str) -> list[int]:
    found = []
    for match in _ESCAPE.finditer(body):
        escape, plain = match[1], match[2]
        if plain is not None:
            found.append(ord(plain))
        elif escape[0] in "xuU" and len(escape) > 1:
            found.append(int(escape[1:], 16))
        elif escape[0] in "01234567":
            found.append(int(escape, 8))
        else:
            found.append(_ESCAPES.get(escape, ord(escape)))
    return found


def unquote(text: str) -> str:
    """The contents of a C string literal, without prefix."""
    body = text[text.index('"') + 1 : -1]
    return "".join(map(chr, _characters(body)))


# Prefix of a string literal -> type of its elements, their bits, and how Python encodes them.
_UNITS = {
    "": ("char", 8, "utf-8"),
    "u8": ("char", 8, "utf-8"),
    "u": ("unsigned short", 16, "utf-16-le"),
    "U": ("unsigned int", 32, "utf-32-le"),
    "L": ("int", 32, "utf-32-le"),
}


def code_units(text: str) -> tuple[str, int]:
    """Type and number of the elements of a C string literal, the terminating one included."""
    prefix, _, rest = text.partition('"')
    unit, bits, encoding = _UNITS[prefix]
    length = 1
    for match in _ESCAPE.finditer(rest[:-1]):
        escape, plain = match[1], match[2]
        if plain is None:  # one element whatever its value, but for a named character
            plain = chr(int(escape[1:], 16)) if escape[0] in "uU" and len(escape) > 1 else "a"
        length += len(plain.encode(encoding, "surrogatepass")) * 8 // bits
    return unit, length


def _character(text: str) -> Constant:
    wide = text[0] != "'"
    codes = _characters(text[text.index("'") + 1 : -1])
    if wide:
        return Constant(codes[-1])
    value = 0
    for code in codes:  # a multi-character constant is what gcc makes of it
        value = (value << 8) | (code & 0xFF)
    if len(codes) == 1 and value > 127:
        value -= 256
    return Constant(INT.wrap(value))


def _promote(constant: Constant) -> Constant:
    if constant.type.floating or constant.type.bits >= 32:
        return constant
    return Constant(constant.value, INT)


def _common(left: Constant, right: Constant) -> tuple[Constant, Constant]:
    left, right = _promote(left), _promote(right)
    if left.type.floating or right.type.floating:
        kind = max((one.type for one in (left, right) if one.type.floating), key=lambda one: one.bits)
    elif left.type.bits != right.type.bits:
        kind = max(left.type, right.type, key=lambda one: one.bits)
    else:
        kind = left.type if not left.type.signed else right.type
    return Constant(kind.wrap(left.value), kind), Constant(kind.wrap(right.value), kind)


def _divide(left: int | float, right: int | float) -> int | float:
    if isinstance(left, float) or isinstance(right, float):
        return left / right
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}
_COMPUTE: dict[str, Callable[[Any, Any], int | float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "%": lambda a, b: a - b * _divide(a, b),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}


@dataclass(frozen=True, slots=True)
class _Evaluator:
    names: Mapping[str, Constant]
    type_of: Callable[[Any], Arithmetic | None]
    size_of: Callable[[Any], tuple[int, int]]
    place_of: Callable[[Any], int]

    def visit(self, node: Any) -> Constant:
        if isinstance(node, c_ast.Constant):
            return self.constant(node)
        if isinstance(node, c_ast.ID):
            if node.name in self.names:
                return self.names[node.name]
            raise NotConstantError(f"{node.name} is not known here", node)
        if isinstance(node, c_ast.UnaryOp):
            return self.unary(node)
        if isinstance(node, c_ast.BinaryOp):
            return self.binary(node)
        if isinstance(node, c_ast.TernaryOp):
            return self.ternary(node)
        if isinstance(node, c_ast.Cast):
            kind = self.type_of(node.to_type)
            if kind is None:
                raise NotConstantError("a cast to something that is no number", node)
            value = self.visit(node.expr).value
            if kind is BOOL:
                return Constant(int(bool(value)), kind)
            return Constant(kind.wrap(value), kind)
        if isinstance(node, c_ast.FuncCall):
            return Constant(self.place_of(node), ULONG)
        raise NotConstantError(f"{type(node).__name__} is no constant expression", node)

    def constant(self, node: Any) -> Constant:
        if node.value[-1] == "'":
            return _character(node.value)
        if node.value[-1] == '"':
            raise NotConstantError("a string is no number", node)
        return parse_number(node.value)

    def unary(self, node: Any) -> Constant:
        if node.op in ("sizeof", "_Alignof"):
            size, alignment = self.size_of(node.expr)
            return Constant(size if node.op == "sizeof" else alignment, ULONG)
        if node.op == "&":
            return Constant(self.place_of(node), ULONG)
        operand = _promote(self.visit(node.expr))
        kind = operand.type
        if node.op == "+":
            return operand
        if node.op == "-":
            return Constant(kind.wrap(-operand.value), kind)
        if node.op == "~" and isinstance(operand.value, int):
            return Constant(kind.wrap(~operand.value), kind)
        if node.op == "!":
            return Constant(int(not operand.value))
        raise NotConstantError(f"operator {node.op} is not constant", node)

    def binary(self, node: Any) -> Constant:
        operator = node.op
        if operator in ("&&", "||"):
            decided = bool(self.visit(node.left).value)
            if decided == (operator == "||"):
                return Constant(int(decided))
            return Constant(int(bool(self.visit(node.right).value)))
        left, right = self.visit(node.left), self.visit(node.right)
        if operator in ("<<", ">>"):
            return self.shift(node, _promote(left), _promote(right))
        left, right = _common(left, right)
        if operator in _COMPARE:
            return Constant(int(_COMPARE[operator](left.value, right.value)))
        if operator in ("/", "%") and right.value == 0:
            raise NotConstantError("division by zero", node)
        if operator in ("%", "&", "|", "^") and left.type.floating:
            raise NotConstantError(f"operator {operator} of floating numbers", node)
        return Constant(left.type.wrap(_COMPUTE[operator](left.value, right.value)), left.type)

    def shift(self, node: Any, left: Constant, right: Constant) -> Constant:
        if not isinstance(left.value, int) or not isinstance(right.value, int):
            raise NotConstantError("a shift of floating numbers", node)
        if not 0 <= right.value < left.type.bits:
            raise NotConstantError(f"a shift by {right.value} of a number of {left.type.bits} bits", node)
        shifted = left.value << right.value if node.op == "<<" else left.value >> right.value
        return Constant(left.type.wrap(shifted), left.type)

    def ternary(self, node: Any) -> Constant:
        chosen = node.iftrue if self.visit(node.cond).value else node.iffalse
        other = node.iffalse if chosen is node.iftrue else node.iftrue
        result = self.visit(chosen)
        try:
            return _common(result, self.visit(other))[0]
        except NotConstantError:
            return result  # C does not evaluate the other branch either


def evaluate(
    node: Any,
    names: Mapping[str, Constant],
    type_of: Callable[[Any], Arithmetic | None],
    size_of: Callable[[Any], tuple[int, int]],
    place_of: Callable[[Any], int],
) -> Constant:
    """Evaluate a constant expression.

    Parameters
    ----------
    node
        pycparser's tree of the expression.
    names
        Constants by name: the enumerators so far.
    type_of
        The arithmetic type of a pycparser type name, None for other types; for casts.
    size_of
        Size and alignment in bytes of a type name or expression; for ``sizeof``.
    place_of
        The number that a call of ``offsetof`` or the address of an expression is.

    Raises
    ------
    NotConstantError
        There is no such value: an unknown name, a division by zero, a shift too far.
    """
    return _Evaluator(names, type_of, size_of, place_of).visit(node)
