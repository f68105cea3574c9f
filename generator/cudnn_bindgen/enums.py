"""Reading enums: every enumerator evaluated, copies of an earlier enum recognised."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pycparser import c_ast

from cudnn_bindgen.errors import DuplicateDefinitionError, EvaluationError
from cudnn_bindgen.evaluate import Constant
from cudnn_bindgen.model import Enumerator
from cudnn_bindgen.preprocess import Token
from cudnn_bindgen.scope import EnumDraft
from cudnn_bindgen.syntax import index_of

if TYPE_CHECKING:
    from cudnn_bindgen.type_reader import TypeReader

__all__ = ["EnumReader"]


class EnumReader:
    """Fills a draft with enumerators, and knows where each enumerator was first defined."""

    def __init__(self, types: TypeReader) -> None:
        self.types = types
        self.places: dict[str, tuple[EnumDraft, Token]] = {}

    def read(self, node: Any, draft: EnumDraft, index: int) -> EnumDraft:
        """Read the enumerators of `node`, whose keyword stands before token number `index`.

        Returns
        -------
        EnumDraft
            `draft`, or the earlier enum that this one repeats.

        Raises
        ------
        DuplicateDefinitionError
            An enumerator is defined in two enums, or twice in one.
        EvaluationError
            An expression has no integer value.
        """
        types = self.types
        underlying = getattr(node, "underlying_type", None)
        if underlying is not None:
            draft.underlying = types.cast_type(underlying)
        found: list[Enumerator] = []
        repeated: list[tuple[Enumerator, Token]] = []
        value = -1
        for one in node.values.enumerators:
            if not isinstance(one, c_ast.Enumerator):
                continue
            token = types.token(one)
            value = value + 1 if one.value is None else types.integer(one.value, f"enumerator {one.name}", token)
            if not -(1 << 63) <= value < 1 << 64:
                message = f"the enumerator {one.name} would be {value}, which fits no integer type; give it a value"
                raise EvaluationError(message, token.file, token.line)
            enumerator = self._enumerator(one, value, token)
            if any(enumerator.name == earlier.name for earlier in found) or one.name in self.places:
                repeated.append((enumerator, token))
            found.append(enumerator)
            types.scope.constants.setdefault(one.name, Constant.of_enumerator(value))
            self.places.setdefault(one.name, (draft, token))
        if repeated:
            return self._repeated(draft, found, repeated)
        large = [one for one in found if one.value >= 1 << 63]
        if large and any(one.value < 0 for one in found):
            message = (
                f"no integer type holds both {large[0].name} = {large[0].value} and the negative enumerators of its "
                "enum; correct one"
            )
            raise EvaluationError(message, large[0].location.file, large[0].location.line)
        draft.enumerators = tuple(found)
        draft.order = index
        meaning = types.attributes.of_tag(index)
        draft.deprecated, draft.packed = meaning.deprecated, meaning.packed
        token = types.sanitized.tokens[index - 1]
        draft.location, draft.own = token.location, token.own
        return draft

    def _repeated(
        self, draft: EnumDraft, found: list[Enumerator], repeated: list[tuple[Enumerator, Token]]
    ) -> EnumDraft:
        first, token = repeated[0]
        earlier, place = self.places[first.name]
        same = (earlier.name, earlier.tag) == (draft.name, draft.tag) and earlier.enumerators is not None
        if not same or [(one.name, one.value) for one in earlier.enumerators or ()] != [
            (one.name, one.value) for one in found
        ]:
            raise DuplicateDefinitionError(
                f"enumerator {first.name} is defined again; the first definition is at {place.location}; "
                "keep one of them",
                token.file,
                token.line,
            )
        if earlier is not draft:
            self.types.scope.drafts.remove(draft)
        return earlier

    def _enumerator(self, node: Any, value: int, token: Token) -> Enumerator:
        types = self.types
        index = index_of(node.coord)
        alias = node.value
        while isinstance(alias, c_ast.Cast):
            alias = alias.expr
        return Enumerator(
            name=node.name,
            value=value,
            expression=None if node.value is None else types.expression(node.value),
            alias_of=alias.name if isinstance(alias, c_ast.ID) else None,
            deprecated=types.docs.enumerator_replacement(types.attributes.of_name(index).deprecated, index),
            location=token.location,
            documentation=types.docs.enumerator_text(index),
        )
