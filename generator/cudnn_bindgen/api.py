"""What authors of other tools build on, in one place.

Headers to model: `obtain`, `parse`. What is inferred: `function_facts`, `attribute_types`. Many versions: `History`,
`diff`. As JSON: `to_json`, `from_json`, `json_schema`. As files: `render`. The model's classes stand in
``cudnn_bindgen.model``, the errors in ``cudnn_bindgen.errors``.
"""

from cudnn_bindgen.diff import diff
from cudnn_bindgen.errors import BindgenError
from cudnn_bindgen.headers import HeaderSet, obtain
from cudnn_bindgen.history import History
from cudnn_bindgen.inference import attribute_types, function_facts
from cudnn_bindgen.model import Api
from cudnn_bindgen.parse import parse
from cudnn_bindgen.render import render
from cudnn_bindgen.serialize import from_json, json_schema, to_json

__all__ = [
    "Api",
    "BindgenError",
    "HeaderSet",
    "History",
    "attribute_types",
    "diff",
    "from_json",
    "function_facts",
    "json_schema",
    "obtain",
    "parse",
    "render",
    "to_json",
]
