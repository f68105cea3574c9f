"""CUDA kernels of our own, for what neither cuDNN nor the array libraries do as fast as memory allows.

Who changes a kernel decides what becomes of the choices that were measured on the old one, on other people's disks. A
candidate is remembered by its name, and the name says nothing of the source. So a kernel that changed materially (it is
faster or slower somewhere, needs another workspace, or rounds otherwise) gets a new revision in its candidate's name,
as in ``"conv_wgrad by a kernel of cudnnkit's own (4 warps; revision 2)"``: choices of the old name then count as gone,
and their problems are searched anew. A change that no result and no time can show keeps the name.
``tests/runtime/test_cuda_names.py`` pins every source beside the names that it serves, so that none changes unnoticed.
"""
