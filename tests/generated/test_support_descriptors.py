"""Handles own what they create, free it once, and never at the wrong time or in the wrong process."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from typing import Any

import pytest
from cudnn_ffi._support.descriptors import PROCESS, handle_pointer
from cudnn_ffi._support.errors import ArgumentError, DescriptorClosedError, StatusError
from fakebind.v9.library import CudnnHandle, TensorDescriptor


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process that never asked for the library's messages."""
    monkeypatch.setattr(PROCESS, "deferring", False)


@pytest.fixture
def live(fake: Any) -> Any:
    """How many objects the library has more than before the test."""
    gc.collect()
    before = fake._lib.fakeLive()
    return lambda: fake._lib.fakeLive() - before


def test_with_block_frees(fake: Any, live: Any) -> None:
    with fake.create_tensor_descriptor() as tensor:
        assert live() == 1
        assert not tensor.closed
    assert live() == 0
    assert tensor.closed


def test_dropping_the_last_reference_frees(fake: Any, live: Any) -> None:
    tensor = fake.create_tensor_descriptor()
    assert live() == 1
    del tensor
    gc.collect()
    assert live() == 0


def test_closing_twice_frees_once(fake: Any) -> None:
    freed = fake._lib.fakeDestroyed()
    tensor = fake.create_tensor_descriptor()
    tensor.close()
    tensor.close()
    del tensor
    assert fake._lib.fakeDestroyed() - freed == 1


def test_eight_threads_close_once(fake: Any, live: Any) -> None:
    freed = fake._lib.fakeDestroyed()
    tensors = [fake.create_tensor_descriptor() for _ in range(200)]
    start = threading.Barrier(8)

    def close_all() -> None:
        start.wait()
        for tensor in tensors:
            tensor.close()

    threads = [threading.Thread(target=close_all) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert fake._lib.fakeDestroyed() - freed == 200
    assert live() == 0


def test_destroy_function_takes_the_duty_over(fake: Any, live: Any) -> None:
    tensor = fake.create_tensor_descriptor()
    fake.destroy_tensor_descriptor(tensor)
    assert live() == 0
    assert tensor.closed
    tensor.close()
    with pytest.raises(DescriptorClosedError, match="cudnnDestroyTensorDescriptor"):
        fake.destroy_tensor_descriptor(tensor)
    with pytest.raises(ArgumentError, match="must be what cudnnDestroyTensorDescriptor frees"):
        fake.destroy_tensor_descriptor(fake.backend_create_descriptor(1))


def test_refusal_to_free_is_reported_and_not_repeated(fake: Any) -> None:
    tensor = fake.create_tensor_descriptor()
    pointer = fake._ffi.cast("int *", tensor._ptr)
    pointer[1] = -1  # what makes the simulated library refuse
    with pytest.raises(StatusError, match="cudnnDestroyTensorDescriptor"):
        tensor.close()
    tensor.close()
    assert tensor.closed


def test_borrowed_handles_are_only_forgotten(fake: Any, live: Any) -> None:
    owner = fake.create_tensor_descriptor()
    borrowed = TensorDescriptor(fake, owner._ptr, owned=False)
    assert (borrowed.owned, owner.owned) == (False, True)
    borrowed.close()
    del borrowed
    assert live() == 1
    owner.close()


def test_use_after_close(fake: Any) -> None:
    tensor = fake.create_tensor_descriptor()
    assert repr(tensor) == f"<TensorDescriptor {tensor.address:#x}>"
    tensor.close()
    assert repr(tensor) == "<TensorDescriptor closed>"
    with pytest.raises(DescriptorClosedError):
        tensor.address  # noqa: B018
    with pytest.raises(DescriptorClosedError), tensor:
        pass


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, pickle.dumps])
def test_handles_cannot_be_copied(fake: Any, twin: Any) -> None:
    with fake.create_tensor_descriptor() as tensor, pytest.raises(TypeError, match="TensorDescriptor"):
        twin(tensor)


def test_null_for_a_handle_that_may_be_none(fake: Any) -> None:
    assert handle_pointer(None, fake._null) == fake._null
    with fake.create_tensor_descriptor() as tensor:
        assert handle_pointer(tensor, fake._null) == tensor._ptr


def test_handle_without_a_destroy_function_is_never_freed(fake: Any) -> None:
    handle = CudnnHandle(fake, fake._null)
    handle.close()
    assert handle.closed


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_frees_nothing_of_its_parent(fake: Any) -> None:
    tensor = fake.create_tensor_descriptor()
    freed = fake._lib.fakeDestroyed()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        tensor.close()
        own = fake.create_tensor_descriptor()
        own.close()
        os.write(write, str(fake._lib.fakeDestroyed() - freed).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read, 10) == b"1"  # the child's own one
    tensor.close()
    assert fake._lib.fakeDestroyed() - freed == 1


def test_dropped_handles_wait_once_the_library_may_call_back(
    fake: Any, live: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PROCESS, "deferring", True)
    dropped, closed = fake.create_tensor_descriptor(), fake.create_tensor_descriptor()
    closed.close()
    assert live() == 1
    del dropped
    gc.collect()
    assert live() == 1
    fake.create_tensor_descriptor().close()
    assert live() == 0


@pytest.mark.usefixtures("bindings")
def test_interpreter_exit_with_open_handles_is_quiet(build: Any) -> None:
    code = """
        import sys, threading
        sys.path[:0] = {path!r}
        import conftest
        from cudnn_ffi._support.loading import load
        conftest_cffi = conftest._module_from(conftest.Path({cffi!r}))
        sys.modules["fakebind.v9._cffi"] = conftest_cffi
        lib = load(conftest.LINES, {library!r})
        lib.logs.enable()
        keep = [lib.create_tensor_descriptor() for _ in range(3)]
        cycle = [keep]; cycle.append(cycle)
        class Holder:
            tensor = lib.create_tensor_descriptor()
            def __del__(self): self.tensor.close()
        holder = Holder()
        threading.Thread(target=lambda: lib.create_tensor_descriptor()).start()
        print("done")
    """
    cffi_module = sys.modules["fakebind.v9._cffi"].__file__
    text = textwrap.dedent(code).format(path=[str(Path(__file__).parent)], cffi=cffi_module, library=str(build()))
    result = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout, result.stderr) == (0, "done\n", "")
