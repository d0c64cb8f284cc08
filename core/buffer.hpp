// A growing array that is never zeroed: scratch memory for the kernels.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace likewise {

template <class T>
class Buffer {
  public:
    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }

    // Room for at least n items. The first `kept` items survive, the rest is undefined.
    T* reserve(std::size_t n, std::size_t kept = 0) {
        if (n > capacity_) {
            const std::size_t grown = n + n / 2 + 64;
            auto bigger = std::make_unique_for_overwrite<T[]>(grown);
            if (kept > 0) std::memcpy(bigger.get(), data_.get(), kept * sizeof(T));
            data_ = std::move(bigger);
            capacity_ = grown;
        }
        return data_.get();
    }

  private:
    std::unique_ptr<T[]> data_;
    std::size_t capacity_ = 0;
};

struct FreeMemory {
    void operator()(char* memory) const { std::free(memory); }
};
using Bytes = std::unique_ptr<char[], FreeMemory>;

// Bytes that are written once, and not zeroed. Where they are many, they come in large pages: to be
// given each small page of new memory takes as long as writing it.
inline Bytes allocate_bytes(std::size_t size) {
    constexpr std::size_t kLargePage = std::size_t{1} << 21;
    void* memory = nullptr;
#ifdef __linux__
    if (size >= 2 * kLargePage) {
        if (::posix_memalign(&memory, kLargePage, size) != 0) throw std::bad_alloc();
        ::madvise(memory, size, MADV_HUGEPAGE);  // a system that has none ignores it
        return Bytes(static_cast<char*>(memory));
    }
#endif
    memory = std::malloc(size > 0 ? size : 1);
    if (memory == nullptr) throw std::bad_alloc();
    return Bytes(static_cast<char*>(memory));
}

}  // namespace likewise
