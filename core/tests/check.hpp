// What the tests of the core share: checks, seeded chance, texts at the end of their memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "cpu.hpp"

namespace check {

struct Test {
    const char* name;
    void (*run)();
};
inline std::vector<Test> tests;
inline int failures = 0;  // of the test that runs

struct Registration {
    Registration(const char* name, void (*run)()) { tests.push_back({name, run}); }
};

inline int run_all() {
    int failed = 0;
    for (const Test& test : tests) {
        failures = 0;
        test.run();
        if (failures > 0) std::printf("FAILED %s: %d checks\n", test.name, failures);
        failed += failures > 0;
    }
    std::printf("%d passed, %d failed\n", static_cast<int>(tests.size()) - failed, failed);
    return failed > 0;
}

// Tests run from one thread, so checks may be made from that one only.
#define TEST(name)                                        \
    void name();                                          \
    const check::Registration name##_is_one(#name, name); \
    void name()

// The condition is followed by a format and its arguments, printed for the first failures.
#define CHECK(condition, ...)                                          \
    do {                                                               \
        if (!(condition) && ++check::failures <= 10) {                 \
            std::printf("%s:%d: %s ", __FILE__, __LINE__, #condition); \
            __VA_OPT__(std::printf(__VA_ARGS__);)                      \
            std::puts("");                                             \
        }                                                              \
    } while (false)

using Random = std::mt19937_64;

// From 0 to limit - 1. Not a std distribution: those differ between libraries, failures must not.
inline std::size_t below(Random& random, std::size_t limit) { return random() % limit; }

template <class T>
const T& one_of(Random& random, const std::vector<T>& choices) {
    return choices[below(random, choices.size())];
}

// The same work with all instructions of the machine, and with fewer.
template <class Work>
void at_each_vector_level(Work&& work) {
    using likewise::Vectors;
    for (const Vectors level : {Vectors::avx512, Vectors::avx2, Vectors::none}) {
        if (level > likewise::best_vectors()) continue;
        likewise::limit_vectors(level);
        work();
    }
    likewise::limit_vectors(Vectors::avx512);
}

// A copy that ends where its memory ends, so that a sanitizer sees every byte read too many.
template <class T>
class ExactCopy {
  public:
    ExactCopy(const T* from, std::size_t size) : data_(new T[size]), size_(size) {
        std::copy(from, from + size, data_.get());
    }
    const T* data() const { return data_.get(); }
    std::size_t size() const { return size_; }

  private:
    std::unique_ptr<T[]> data_;
    std::size_t size_;
};

class ExactText : public ExactCopy<char> {
  public:
    explicit ExactText(std::string_view text) : ExactCopy(text.data(), text.size()) {}
    std::string_view view() const { return {data(), size()}; }
};

// Words w0, w1, ... of a small vocabulary: texts of them overlap.
inline std::string words_of(Random& random, std::size_t words, std::size_t vocabulary) {
    std::string text;
    for (std::size_t i = 0; i < words; ++i) {
        text += "w" + std::to_string(below(random, vocabulary)) + " ";
    }
    return text;
}

inline std::vector<std::string_view> views_of(const std::vector<std::string>& texts) {
    return {texts.begin(), texts.end()};
}

}  // namespace check
