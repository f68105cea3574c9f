// The instructions that the kernels on tensor cores are made of, under names of their own. Fragments lie as the PTX ISA
// says under mma.m16n8k16 (16-bit types) and mma.m16n8k8 (TF32), matrices as under ldmatrix.

#define LANE (threadIdx.x % 32)

// 16 bytes from global to shared memory while the thread goes on; zeros where not `inside`, and `from` is not read.
__device__ inline void copy_async(void* to, const void* from, bool inside) {
    unsigned target = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(from), "r"(inside ? 16 : 0));
}

__device__ inline void close_copies() { asm volatile("cp.async.commit_group;"); }

// Until all copies but those of the group closed last have arrived.
__device__ inline void await_copies() { asm volatile("cp.async.wait_group 1;" ::: "memory"); }

// Four matrices of 8x8 16-bit elements, transposed: lane 8 i + r says where row r of matrix i lies.
__device__ inline void load_matrices(const void* row, unsigned* to) {
    unsigned from = (unsigned)__cvta_generic_to_shared(row);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(from)
                 : "memory");
}

// Computed here and kept: the compiler would rather compute an address anew in each turn of a loop.
__device__ inline void keep(unsigned& value) { asm volatile("" : "+r"(value)); }

__device__ inline unsigned to_tf32(unsigned from) {
    unsigned made;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(made) : "f"(__uint_as_float(from)));
    return made;
}

#if SIZE == 4
#define PRODUCT "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"
#elif BFLOAT16
#define PRODUCT "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
#else
#define PRODUCT "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
#endif

// sums += a b, of 16 rows, 8 columns, and 16 (TF32: 8) in between.
__device__ inline void multiply(float* sums, const unsigned* a, const unsigned* b) {
    asm(PRODUCT " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
