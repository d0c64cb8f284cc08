// A growing array that is never zeroed: scratch memory for the kernels.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>

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

}  // namespace likewise
