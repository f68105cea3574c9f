"""Words of 32 bits in CUDA C++: one float32 or two 16-bit elements, unpacked into float32 and packed again."""

from __future__ import annotations

__all__ = ["WORD", "WORDS"]

WORD = "typedef unsigned int word;"

# A word holds one float32 or two 16-bit elements. Maxima need no conversion, sums are made in float32.
WORDS = {
    "float32": """
#define LOWEST 0xff800000u
__device__ inline word larger(word a, word b) {
    float found;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(found) : "f"(__uint_as_float(a)), "f"(__uint_as_float(b)));
    return __float_as_uint(found);
}
__device__ inline void unpack(word from, float* to) { to[0] = __uint_as_float(from); }
__device__ inline word pack(const float* from) { return __float_as_uint(from[0]); }
""",
    "float16": """
#define LOWEST 0xfc00fc00u
__device__ inline word larger(word a, word b) {
    word found;
    asm("max.NaN.f16x2 %0, %1, %2;" : "=r"(found) : "r"(a), "r"(b));
    return found;
}
__device__ inline void unpack(word from, float* to) {
    asm("{ .reg .b16 low, high; mov.b32 {low, high}, %2; cvt.f32.f16 %0, low; cvt.f32.f16 %1, high; }"
        : "=f"(to[0]), "=f"(to[1]) : "r"(from));
}
__device__ inline word pack(const float* from) {
    word made;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(made) : "f"(from[1]), "f"(from[0]));
    return made;
}
""",
    "bfloat16": """
#define LOWEST 0xff80ff80u
__device__ inline word larger(word a, word b) {
    word found;
    asm("max.NaN.bf16x2 %0, %1, %2;" : "=r"(found) : "r"(a), "r"(b));
    return found;
}
__device__ inline void unpack(word from, float* to) {
    to[0] = __uint_as_float(from << 16);
    to[1] = __uint_as_float(from & 0xffff0000u);
}
__device__ inline word pack(const float* from) {
    word made;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(made) : "f"(from[1]), "f"(from[0]));
    return made;
}
""",
}
"""For each type: ``LOWEST`` and ``larger`` for maxima, ``unpack``, ``pack``, of a `WORD`."""
