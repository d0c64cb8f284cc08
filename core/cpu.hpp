// Which instructions the kernels may use: detected once, and switchable so that tests
// can compare the vector path with the portable one.
#pragma once

namespace likewise {

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define LIKEWISE_X86 1
// What kernels are compiled for, and so what the machine is asked for: each list is written once.
#define LIKEWISE_AVX2_FEATURES(FIRST, NEXT) FIRST(avx2) NEXT(bmi) NEXT(bmi2) NEXT(popcnt)
#define LIKEWISE_AVX512_FEATURES(FIRST, NEXT) \
    FIRST(avx512f) NEXT(avx512bw) NEXT(avx512vl) NEXT(avx512vbmi2)
#define LIKEWISE_NAME(feature) #feature
#define LIKEWISE_NEXT_NAME(feature) "," #feature
#define LIKEWISE_AVX2 \
    __attribute__((target(LIKEWISE_AVX2_FEATURES(LIKEWISE_NAME, LIKEWISE_NEXT_NAME))))
#define LIKEWISE_AVX512                                                             \
    __attribute__((target(LIKEWISE_AVX2_FEATURES(LIKEWISE_NAME, LIKEWISE_NEXT_NAME) \
                              LIKEWISE_AVX512_FEATURES(LIKEWISE_NEXT_NAME, LIKEWISE_NEXT_NAME))))
#else
#define LIKEWISE_X86 0
#define LIKEWISE_AVX2
#define LIKEWISE_AVX512
#endif

// For loops that are plain C++ but gain from newer instructions (mulx, wider registers): written
// once, always inlined, and instantiated in a portable and an AVX2 function.
#define LIKEWISE_INLINE inline __attribute__((always_inline))

// Levels of instructions, each of which includes those before it.
enum class Vectors : unsigned char { none, avx2, avx512 };

Vectors best_vectors();            // what the machine can do
Vectors vectors();                 // what the kernels use now
void limit_vectors(Vectors most);  // use no more than that, on all threads

inline bool use_avx2() { return vectors() >= Vectors::avx2; }
inline bool use_avx512() { return vectors() >= Vectors::avx512; }

}  // namespace likewise
