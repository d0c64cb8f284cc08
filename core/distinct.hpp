// The distinct elements of one text after another, in the order of the text.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

#include "interruption.hpp"
#include "rules.hpp"
#include "shingles.hpp"
#include "slots.hpp"

namespace likewise {

class DistinctElements {
  public:
    explicit DistinctElements(const Rules& rules) : shingler_(rules) {}

    // Valid until the next call. 0 marks a free slot; an element of value 0 counts as 1.
    const std::vector<std::uint64_t>& of(std::string_view text) {
        shingler_.collect(text, elements_);
        fill(slots_, std::bit_ceil(2 * elements_.size() + 2));
        std::size_t kept = 0;
        for (const std::uint64_t raw : elements_) {
            poll_();
            const std::uint64_t element = raw + (raw == 0);
            const std::size_t slot = find_slot(element, slots_.size(), [&](std::size_t i) {
                return slots_[i] == 0 || slots_[i] == element;
            });
            if (slots_[slot] == element) continue;
            slots_[slot] = element;
            elements_[kept++] = element;
        }
        elements_.resize(kept);
        return elements_;
    }

  private:
    Shingler shingler_;
    Poll poll_;
    std::vector<std::uint64_t> elements_, slots_;
};

}  // namespace likewise
