"""A stand-in for CUDA on the host: blocks of fibres, and the instructions of ``tensor_core.cu`` after the PTX ISA.

Every thread of a block is a fibre that runs until it waits for others, in rising or falling order: what is not
synchronised gives other results in one of them. Copies into shared memory arrive as late as they may; until then there
is NaN. A product of TF32 ignores the bits that TF32 has not.
"""

from __future__ import annotations

HOST_TENSOR_CORE = r"""
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <setjmp.h>
#include <ucontext.h>
#include <vector>
using std::max;
using std::min;
#define __device__ static
#define __global__
#define __shared__ static
#define __launch_bounds__(...)
#define LANE (threadIdx.x % 32)

static struct { unsigned x, y; } blockIdx, threadIdx;

struct meeting { unsigned arrived = 0, round = 0; };
struct late { char* to; const char* from; bool inside; unsigned group; };
struct fibre {
    ucontext_t context;
    jmp_buf where;
    bool begun = false;
    std::vector<char> stack;
    bool done = false;
    std::vector<late> copies;
    unsigned groups = 0;
};
static jmp_buf scheduler;
static std::vector<fibre> fibres;
static meeting whole, warps[32];
static float sent[32][32][6][2];
static const void* rows[32][32];
static std::function<void()> body;

static fibre& self() { return fibres[threadIdx.x]; }
static void leave() { if (!_setjmp(self().where)) _longjmp(scheduler, 1); }
static void resume() {  // contexts would be enough, but cost a call of the system for each change
    if (_setjmp(scheduler)) return;
    if (self().begun) _longjmp(self().where, 1);
    self().begun = true;
    setcontext(&self().context);
}
static void meet(meeting& one, unsigned members) {
    unsigned round = one.round;
    if (++one.arrived == members) { one.arrived = 0; ++one.round; return; }
    while (one.round == round) leave();
}
static void __syncthreads() { meet(whole, fibres.size()); }
static void meet_warp() { meet(warps[threadIdx.x / 32], 32); }

static void copy_async(void* to, const void* from, bool inside) {
    if ((uintptr_t)to % 16 || (uintptr_t)from % 16) abort();
    memset(to, 0xff, 16);
    self().copies.push_back({(char*)to, (const char*)from, inside, self().groups});
}
static void close_copies() { ++self().groups; }
static void await_copies() {
    std::vector<late> rest;
    for (auto& one : self().copies)
        if (one.group + 1 >= self().groups) rest.push_back(one);
        else if (one.inside) memcpy(one.to, one.from, 16);
        else memset(one.to, 0, 16);
    self().copies = rest;
}
static void keep(unsigned&) {}

// Of matrix i a lane gets row 2 (lane % 4), and the next, of column lane / 4.
static void load_matrices(const void* row, unsigned* to) {
    unsigned warp = threadIdx.x / 32, lane = LANE;
    if ((uintptr_t)row % 16) abort();
    rows[warp][lane] = row;
    meet_warp();
    for (unsigned i = 0; i < 4; ++i) {
        auto at = [&](unsigned r) { return (unsigned)((const uint16_t*)rows[warp][8 * i + r])[lane / 4]; };
        to[i] = at(lane % 4 * 2) | at(lane % 4 * 2 + 1) << 16;
    }
    meet_warp();
}

static float as_float(unsigned from) { float made; memcpy(&made, &from, 4); return made; }
static unsigned to_tf32(unsigned from) {  // to the nearest, ties away from zero
    return (from & 0x7f800000u) == 0x7f800000u ? from : (from + 0x1000u) & 0xffffe000u;
}
// The numbers of a word: two, or one without the bits that TF32 has not.
static void numbers_of(unsigned word, float* to) {
#if SIZE == 4
    to[0] = as_float(word & 0xffffe000u);
#elif BFLOAT16
    to[0] = as_float(word << 16), to[1] = as_float(word & 0xffff0000u);
#else
    _Float16 made[2];
    memcpy(made, &word, 4);
    to[0] = made[0], to[1] = made[1];
#endif
}

// mma.m16n8k16: a_i is row lane / 4 (+8 for i of 2, 3, 6, 7), k = 2 (lane % 4) + i % 2 (+8 from i = 4); b_i is column
// lane / 4, k = 2 (lane % 4) + i % 2 (+8 from i = 2). mma.m16n8k8 of TF32: a_i is row lane / 4 (+8 for odd i),
// k = lane % 4 (+4 from i = 2); b_i is column lane / 4, k = lane % 4 + 4 i. Sums: row lane / 4 (+8 from i = 2), column
// 2 (lane % 4) + i % 2.
static void multiply(float* sums, const unsigned* a, const unsigned* b) {
    unsigned warp = threadIdx.x / 32, lane = LANE;
    for (unsigned i = 0; i < 4; ++i) numbers_of(a[i], sent[warp][lane][i]);
    for (unsigned i = 0; i < 2; ++i) numbers_of(b[i], sent[warp][lane][4 + i]);
    meet_warp();
    for (unsigned i = 0; i < 4; ++i) {
        unsigned row = lane / 4 + (i >= 2) * 8, column = lane % 4 * 2 + i % 2;
        double sum = sums[i];
#if SIZE == 4
        for (unsigned k = 0; k < 8; ++k)
            sum += (double)sent[warp][row % 8 * 4 + k % 4][row / 8 + k / 4 * 2][0] *
                   sent[warp][column * 4 + k % 4][4 + k / 4][0];
#else
        for (unsigned k = 0; k < 16; ++k)
            sum += (double)sent[warp][row % 8 * 4 + k % 8 / 2][row / 8 + k / 8 * 2][k % 2] *
                   sent[warp][column * 4 + k % 8 / 2][4 + k / 8][k % 2];
#endif
        sums[i] = sum;
    }
    meet_warp();
}

static void run_fibre() { body(); self().done = true; leave(); }

// Every thread of every block, one block after the other.
static void each_block(unsigned across, unsigned down, unsigned block, bool falling, std::function<void()> kernel) {
    body = kernel;
    for (unsigned b = 0; b < across * down; ++b) {
        blockIdx.x = b % across, blockIdx.y = b / across;
        fibres.resize(block);  // their stacks serve for all blocks
        whole = meeting();
        for (auto& one : warps) one = meeting();
        for (auto& one : fibres) {
            one.stack.resize(32768);
            one.begun = one.done = false;
            one.copies.clear();
            one.groups = 0;
            getcontext(&one.context);
            one.context.uc_stack.ss_sp = one.stack.data();
            one.context.uc_stack.ss_size = one.stack.size();
            makecontext(&one.context, run_fibre, 0);
        }
        for (unsigned left = block, turn = 0; left; ++turn) {
            if (turn > 100000000) abort();
            for (unsigned i = 0; i < block; ++i) {
                threadIdx.x = falling ? block - 1 - i : i;
                if (self().done) continue;
                resume();
                left -= self().done;
            }
        }
    }
}
"""
"""In place of ``cudnnkit/cuda/tensor_core.cu``."""

HALF_WORDS = """
static void unpack(word from, float* to) {
    _Float16 halves[2];
    memcpy(halves, &from, 4);
    to[0] = halves[0]; to[1] = halves[1];
}
static word pack(const float* from) {
    _Float16 halves[2] = {(_Float16)from[0], (_Float16)from[1]};
    word made;
    memcpy(&made, halves, 4);
    return made;
}
"""
"""Of float16, as ``cudnnkit.cuda.words`` has them for GPUs."""
