"""Plans of structs and unions: frozen dataclasses, and how each field comes out of C and goes back."""

from __future__ import annotations

import keyword
from dataclasses import dataclass

from cudnn_bindgen.cdef_records import RecordTexts, c_name
from cudnn_bindgen.docstrings import availability
from cudnn_bindgen.line_names import LineNames
from cudnn_bindgen.model import Array, Field, Record
from cudnn_bindgen.naming import attribute, snake, unique
from cudnn_bindgen.piece_values import from_wire, number, whole, wire
from cudnn_bindgen.typeinfo import Shape

__all__ = ["FieldPlan", "RecordPlan", "plan_records"]


@dataclass(frozen=True, slots=True)
class FieldPlan:
    """One field of a dataclass.

    Attributes
    ----------
    read
        The expression that makes the Python value; the struct is ``c``.
    write
        The statement that fills the C field; the struct is ``c``.
    since
        The first layout that has the field, where not all have it.
    optional
        It may be left out: a member of a union, or a field that some layouts lack.
    """

    name: str
    c_name: str
    annotation: str
    doc: str
    read: str
    write: str
    since: str | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class RecordPlan:
    """One dataclass; `ctype` is how C calls the type."""

    class_name: str
    c_name: str
    kind: str
    ctype: str
    fields: tuple[FieldPlan, ...]
    moved: bool
    note: str = ""
    documentation: str | None = None


def plan_records(line: LineNames) -> tuple[RecordPlan, ...]:
    """A dataclass for every struct and union of the library's own, in the headers' order."""
    texts = RecordTexts(line.line.api)
    return tuple(_record(line, record, texts) for record in line.line.api.records if not record.external)


def _record(line: LineNames, record: Record, texts: RecordTexts) -> RecordPlan:
    shown = [field for field in texts.visible(record) if field.name not in line.rules.hidden_fields]
    names = unique(attribute(snake(field.name)) for field in shown)
    return RecordPlan(
        class_name=line.records[record.name],
        c_name=record.name,
        kind=record.kind,
        ctype=c_name(record),
        fields=tuple(_field(line, record, field, name) for field, name in zip(shown, names, strict=True)),
        moved=record.name in line.line.moved_records,
        note=availability(line.line, record.name),
        documentation=record.documentation,
    )


def _field(line: LineNames, record: Record, field: Field, name: str) -> FieldPlan:
    annotation, read, write = _conversion(line, field, name)
    since = _since(line, record, field)
    unit = line.rules.unit(record.name, field.name)
    doc = f"``{field}``" + (f", in {unit}" if unit else "") + (f"; since {since}" if since else "") + "."
    optional = record.kind == "union" or since is not None
    if optional and not annotation.endswith("None"):
        annotation = f"{annotation} | None"
    return FieldPlan(name, field.name, annotation, doc, read, write, since, optional)


def _since(line: LineNames, record: Record, field: Field) -> str | None:
    """The first version whose layout has the field, None when all layouts do."""
    forms = line.line.moved_records.get(record.name, ())
    having = [since for since, form in forms if any(one.name == field.name for one in form.fields)]
    return having[0] if having and len(having) < len(forms) else None


def _read(field: str) -> str:
    return f'getattr(c, "{field}")' if keyword.iskeyword(field) else f"c.{field}"


def _write(field: str, value: str) -> str:
    return f'setattr(c, "{field}", {value})' if keyword.iskeyword(field) else f"c.{field} = {value}"


def _conversion(line: LineNames, field: Field, name: str) -> tuple[str, str, str]:
    """Annotation, reading expression and writing statement of a field."""
    shape = line.types.shape(field.type)
    if isinstance(field.type, Array):
        return _array(line, shape, field.name, f"self.{name}")
    if shape.by_value:
        return _by_value(line, shape, field.name, f"self.{name}")
    if shape.depth == 1 and shape.kind in ("void", "number", "char"):
        read = f'int(library._ffi.cast("uintptr_t", {_read(field.name)})) or None'
        return "DevicePointer | None", read, _write(field.name, f'optional_device_pointer(self.{name}, "{name}")')
    return "Any", _read(field.name), _write(field.name, f"self.{name}")


def _by_value(line: LineNames, shape: Shape, field: str, value: str) -> tuple[str, str, str]:
    match shape.kind:
        case "number":
            return number(shape), _read(field), _write(field, whole(shape, value))
        case "enum" if shape.name in line.enums:
            read = from_wire(line, shape.name, _read(field), "library")
            return line.enums[shape.name], read, _write(field, wire(line, shape.name, value, "library"))
        case "record" if shape.name in line.records:
            cls = line.records[shape.name]
            return cls, f"{cls}._from_c({_read(field)}, library)", f"{value}._fill({_read(field)}, library)"
        case "handle" | "stream" | "graph":
            read = f'int(library._ffi.cast("uintptr_t", {_read(field)}))'
            return "int", read, _write(field, f'library._ffi.cast("{shape.name}", {value})')
        case _:
            return "Any", _read(field), _write(field, value)


def _array(line: LineNames, shape: Shape, field: str, value: str) -> tuple[str, str, str]:
    source = _read(field)
    if shape.depth == 1 and shape.kind == "number":
        given = f"[{whole(shape, 'one')} for one in {value}]"
        return f"tuple[{number(shape)}, ...]", f"tuple({source})", _write(field, given)
    if shape.depth == 1 and shape.kind == "enum" and shape.name in line.enums:
        read, given = from_wire(line, shape.name, "one", "library"), wire(line, shape.name, "one", "library")
        annotation = f"tuple[{line.enums[shape.name]}, ...]"
        return annotation, f"tuple({read} for one in {source})", _write(field, f"[{given} for one in {value}]")
    if shape.depth == 1 and shape.kind == "char":
        return "bytes", f"bytes(library._ffi.buffer({source}))", _write(field, value)
    return "Any", source, _write(field, value)
