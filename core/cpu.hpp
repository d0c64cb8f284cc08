// Which instructions the kernels may use: asked of the machine once, and switchable so that tests
// can hold the vector path against the portable one.
#pragma once

namespace likewise {

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define LIKEWISE_X86 1
#define LIKEWISE_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#else
#define LIKEWISE_X86 0
#define LIKEWISE_AVX2
#endif

// For loops that are plain C++ but gain from newer instructions (mulx, wider registers): written
// once, always inlined, and instantiated in a portable and an AVX2 function.
#define LIKEWISE_INLINE inline __attribute__((always_inline))

bool has_avx2();              // what the machine can do
bool use_avx2();              // what the kernels do now
void allow_avx2(bool allow);  // false: portable code only

}  // namespace likewise
