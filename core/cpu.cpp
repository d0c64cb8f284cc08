#include "cpu.hpp"

#include <algorithm>
#include <atomic>

namespace likewise {

namespace {

std::atomic<Vectors> most_allowed{Vectors::avx512};

Vectors ask_machine() {
#if LIKEWISE_X86
#define HAS(feature) __builtin_cpu_supports(#feature)
#define AND_HAS(feature) &&HAS(feature)
    if (!(LIKEWISE_AVX2_FEATURES(HAS, AND_HAS))) return Vectors::none;
    return (LIKEWISE_AVX512_FEATURES(HAS, AND_HAS)) ? Vectors::avx512 : Vectors::avx2;
#undef AND_HAS
#undef HAS
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
