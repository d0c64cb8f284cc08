// Arrays between NumPy and the core.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

namespace likewise {

template <class T>
using Array =
    nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using Matrix =
    nanobind::ndarray<const T, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using Result = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>;
template <class T>
using ResultMatrix = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<2>>;

template <class T>
std::span<const T> span_of(const Array<T>& array) {
    return {array.data(), array.shape(0)};
}

// What is checked and then read without the interpreter's lock is copied first: another thread may
// change the array at any time.
template <class T>
std::vector<T> copy_of(const Array<T>& array) {
    return {array.data(), array.data() + array.shape(0)};
}

template <class T>
Result<T> give(std::vector<T>&& values) {
    auto* owned = new std::vector<T>(std::move(values));
    nanobind::capsule owner(owned,
                            [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Result<T>(owned->data(), {owned->size()}, owner);
}

template <class T>
ResultMatrix<T> give(std::unique_ptr<T[]> values, std::size_t rows, std::size_t columns) {
    T* data = values.release();
    nanobind::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return ResultMatrix<T>(data, {rows, columns}, owner);
}

inline void need(bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(what);
}

// The side of each document where there are two, or none.
class Sides {
  public:
    Sides(const std::optional<Array<std::uint8_t>>& given, std::size_t documents)
        : given_(given.has_value()) {
        if (!given) return;
        sides_ = copy_of(*given);
        need(sides_.size() == documents, "sides must have one entry a document");
    }

    const std::uint8_t* data() const { return given_ ? sides_.data() : nullptr; }

  private:
    bool given_;
    std::vector<std::uint8_t> sides_;
};

// Item i of several is [offsets[i], offsets[i + 1]).
inline void need_offsets(std::span<const std::uint64_t> offsets, std::size_t items) {
    need(!offsets.empty() && offsets.front() == 0 && offsets.back() == items,
         "offsets must begin with 0 and end with the number of items");
    need(std::is_sorted(offsets.begin(), offsets.end()), "offsets must ascend");
}

}  // namespace likewise
