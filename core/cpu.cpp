#include "cpu.hpp"

#include <algorithm>
#include <atomic>

namespace likewise {

namespace {

std::atomic<Vectors> most_allowed{Vectors::avx512};

Vectors ask_machine() {
#if LIKEWISE_X86
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2")) return Vectors::none;
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vbmi2")) {
        return Vectors::avx512;
    }
    return Vectors::avx2;
#else
    return Vectors::none;
#endif
}

}  // namespace

Vectors best_vectors() {
    static const Vectors best = ask_machine();
    return best;
}

Vectors vectors() { return std::min(best_vectors(), most_allowed.load(std::memory_order_relaxed)); }

void limit_vectors(Vectors most) { most_allowed.store(most, std::memory_order_relaxed); }

}  // namespace likewise
