// Many documents as views of UTF-8: over the characters of Python strings, or over an Arrow column.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace likewise {

class Texts {
  public:
    // ASCII strings are used in place; others are written out as UTF-8 once, a lone surrogate
    // as U+FFFD.
    static Texts from_strings(nanobind::handle strings, unsigned threads);

    // offsets: documents + 1 places in data, 32 or 64 bits wide.
    static Texts from_buffers(nanobind::handle data, nanobind::handle offsets, bool wide);

    // The chosen documents of a file: document i is bytes offsets[i] to offsets[i + 1]. Reads the
    // file instead of mapping it, so that only the requested part stays in memory.
    static Texts from_file(int file, std::span<const std::int64_t> offsets,
                           std::span<const std::uint32_t> chosen);

    static Texts concatenated(const std::vector<const Texts*>& parts);

    // Some of the documents, by number, in the order given.
    Texts select(std::span<const std::uint32_t> chosen) const;

    std::span<const std::string_view> views() const { return views_; }
    std::uint64_t bytes() const;

  private:
    struct Owner;  // keeps alive what the views look at

    std::vector<std::string_view> views_;
    std::vector<std::shared_ptr<Owner>> owners_;
};

}  // namespace likewise
