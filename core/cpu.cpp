#include "cpu.hpp"

#include <atomic>

namespace likewise {

bool has_avx2() {
#if LIKEWISE_X86
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

namespace {
std::atomic<bool> avx2_allowed{true};
}

bool use_avx2() {
    static const bool present = has_avx2();
    return present && avx2_allowed.load(std::memory_order_relaxed);
}

void allow_avx2(bool allow) { avx2_allowed.store(allow, std::memory_order_relaxed); }

}  // namespace likewise
