"""Which array library an array belongs to, found by its type, without importing what the user did not import.

The type of an array leads to its `Kind`, once; from then on a dictionary look-up answers. Arrays of other libraries
come in through the CUDA array interface or DLPack and are CuPy arrays (torch tensors where there is no CuPy) from there
on, over the same memory.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple

from cudnnkit.arrays.view import ArrayLibrary, ArrayView
from cudnnkit.errors import ArgumentError, ArgumentTypeError

__all__ = [
    "KINDS",
    "Kind",
    "adopt",
    "allow_host_arrays",
    "check_signature",
    "foreign",
    "kind_of",
    "library_named",
    "view_of",
]

Signature = tuple[Any, ...]


class Kind(NamedTuple):
    """How arrays of one type are read.

    Attributes
    ----------
    library
        The array library.
    sign
        Address, and what else a plan depends on (shape, strides, type, device), as cheaply as the library allows.
    """

    library: ArrayLibrary
    sign: Callable[[Any], tuple[int, Signature]]


KINDS: dict[type, Callable[[Any], tuple[int, Signature]]] = {}
"""Type of an array to its `sign`, for the hot path. Types that were not seen yet, and foreign ones, are absent."""

_kinds: dict[type, Kind] = {}
_libraries: dict[str, ArrayLibrary] = {}
_host: ArrayLibrary | None = None

_WRITTEN = "out", "running_"
"""How the names of arrays begin that operations write."""

_HOST_HINT = (
    "is in host memory; cuDNN computes on the GPU: move it there, with cupy.asarray or torch.as_tensor; "
    "to try without a GPU, call inside of `with cudnnkit.testing.simulated():`"
)


def library_named(name: str) -> ArrayLibrary:
    """The array library of that name (``"torch"``, ``"cupy"``, ``"numpy"``), imported now if need be."""
    found = _libraries.get(name)
    if found is None:
        if name == "torch":
            from cudnnkit.arrays.torch_library import TorchLibrary

            found = TorchLibrary()
        elif name == "cupy":
            from cudnnkit.arrays.cupy_library import CupyLibrary

            found = CupyLibrary()
        elif name == "numpy" and _host is not None:
            return _host
        else:
            raise ArgumentError("library", name, "allowed are 'torch' and 'cupy'")
        found = _libraries.setdefault(name, found)
    return found


def allow_host_arrays(library: ArrayLibrary | None) -> ArrayLibrary | None:
    """Take NumPy arrays as device arrays, through `library`; None forbids it again. For the simulated library."""
    global _host
    before, _host = _host, library
    for kind in [kind for kind, entry in _kinds.items() if entry.library is before]:
        del _kinds[kind]
        KINDS.pop(kind, None)
    return before


def kind_of(array: Any, name: str) -> Kind:
    """The kind of an array that belongs to a library known here.

    Raises
    ------
    ArgumentTypeError
        It does not; :func:`adopt` takes such arrays in.
    """
    kind = type(array)
    found = _kinds.get(kind)
    if found is not None:
        return found
    for parent in kind.__mro__:
        module = parent.__module__.partition(".")[0]
        if module == "torch" and parent.__name__ == "Tensor":
            library = library_named("torch")
        elif module == "cupy" and parent.__name__ == "ndarray":
            library = library_named("cupy")
        elif module == "numpy" and parent.__name__ == "ndarray":
            if _host is None:
                raise ArgumentTypeError(name, _describe(array), _HOST_HINT)
            library = _host
        else:
            continue
        found = Kind(library, library.sign)
        _kinds[kind], KINDS[kind] = found, found.sign
        if module == "numpy" and library is not _host:  # another thread ended the block meanwhile
            _kinds.pop(kind, None)
            KINDS.pop(kind, None)
        return found
    raise ArgumentTypeError(
        name, _describe(array), "is no GPU array: pass a CuPy array, a torch tensor, or anything that has "
        "__cuda_array_interface__ or DLPack's __dlpack__"
    )  # fmt: skip


def foreign(array: Any) -> bool:
    """Whether an array belongs to no library known here but can be taken in."""
    kind = type(array)
    if kind in _kinds:
        return False
    modules = {parent.__module__.partition(".")[0] for parent in kind.__mro__}
    known = modules & {"torch", "cupy", "numpy"} and hasattr(array, "dtype")
    try:
        return not known and (hasattr(array, "__cuda_array_interface__") or hasattr(array, "__dlpack__"))
    except Exception:  # a property that raises; adopt says so
        return True


def adopt(array: Any, name: str, like: ArrayLibrary | None = None) -> Any:
    """An array of a known library over the memory of a foreign one.

    Parameters
    ----------
    array
        Anything with ``__cuda_array_interface__`` or ``__dlpack__``, in device memory.
    name
        The argument it was given for.
    like
        The library of the call's other arrays; CuPy, or torch when CuPy is missing, where there is none.

    Raises
    ------
    ArgumentTypeError
        It is no GPU array.
    ArgumentError
        Its type is complex or otherwise unusable, or neither CuPy nor torch is installed.
    """
    try:
        if not foreign(array):
            kind_of(array, name)
            return array
        _check_foreign(array, name)
    except ArgumentError:
        raise
    except Exception as error:  # whatever its own attributes raise
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        raise ArgumentTypeError(name, _describe(array), f"does not tell what it is ({reason})") from error
    if like is None:
        like = _host or _available(name)
    try:
        return like.take(array)
    except (ArgumentError, MemoryError):
        raise
    except Exception as error:  # whatever the other library makes of it
        raise ArgumentTypeError(name, _describe(array), f"could not be taken in by {like.name}: {error}") from error


def _check_foreign(array: Any, name: str) -> None:
    interface = getattr(array, "__cuda_array_interface__", None)
    if interface is not None:
        if "c" in str(interface.get("typestr", "")):
            raise ArgumentError(name, interface["typestr"], "complex numbers; cuDNN computes with real ones only")
        if name.startswith(_WRITTEN) and interface["data"][1]:
            raise ArgumentError(name, _describe(array), "is read-only and would be written; give a copy")
        return
    where = getattr(array, "__dlpack_device__", None)
    if where is None or _host is not None:
        return
    kind = int(where()[0])
    if kind not in (2, 13):  # kDLCUDA, kDLCUDAManaged
        raise ArgumentTypeError(name, _describe(array), _HOST_HINT if kind in (1, 3) else "is on no CUDA device")


def _available(name: str) -> ArrayLibrary:
    loaded = [one for one in ("cupy", "torch") if one in sys.modules]
    for one in [*[one for one in loaded if one == "cupy"], "cupy", "torch"]:
        if one in loaded or find_spec(one) is not None:
            return library_named(one)
    raise ArgumentError(name, "a foreign array", "needs CuPy or torch for its result; install one of them")


def check_signature(array: Any, name: str) -> None:
    """See that an array of a known library tells where it is, and in a form that a table of plans can hold.

    Raises
    ------
    ArgumentTypeError
        It does not, as a sparse tensor.
    """
    try:
        hash(kind_of(array, name).sign(array))
    except ArgumentError:
        raise
    except Exception as error:  # whatever the array library says
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        hint = f"has no memory with an address and strides ({reason}); pass a dense array, such as {name}.to_dense()"
        raise ArgumentTypeError(name, _describe(array), hint) from error


def _describe(array: Any) -> str:
    kind = type(array)
    try:
        shape, dtype = getattr(array, "shape", None), getattr(array, "dtype", None)
    except Exception:  # a property that raises
        shape = dtype = None
    text = f"{kind.__module__}.{kind.__qualname__}"
    return text + (f" of shape {tuple(shape)}" if isinstance(shape, tuple) else "") + (f" {dtype}" if dtype else "")


def view_of(array: Any, name: str) -> ArrayView:
    """Describe an array of a known library.

    Raises
    ------
    ArgumentTypeError
        It is no GPU array.
    ArgumentError
        Its element type or strides cannot be used.
    """
    return kind_of(array, name).library.view(array, name)
