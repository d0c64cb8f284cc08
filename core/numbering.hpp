// Keys of any kind as 0, 1, 2, ... in the order of their first occurrence.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "interruption.hpp"
#include "slots.hpp"

namespace likewise {

// Key is a whole number; equal ones have the same number. No more than 2^32 - 1 different ones.
template <class Key>
class Numbering {
  public:
    std::uint32_t of(Key key) {
        if (2 * (keys_.size() + 1) > slots_.size()) grow();
        const std::size_t slot = slot_of(key);
        if (slots_[slot] == kFree) {
            slots_[slot] = static_cast<std::uint32_t>(keys_.size());
            keys_.push_back(key);
        }
        return slots_[slot];
    }

    // By their numbers.
    const std::vector<Key>& keys() const { return keys_; }

  private:
    static constexpr std::uint32_t kFree = 0xFFFFFFFF;

    std::size_t slot_of(Key key) const {
        return find_slot(key, slots_.size(), [&](std::size_t slot) {
            return slots_[slot] == kFree || keys_[slots_[slot]] == key;
        });
    }

    void grow() {
        fill(slots_, std::max<std::size_t>(1024, 2 * slots_.size()), kFree);
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            slots_[slot_of(keys_[i])] = static_cast<std::uint32_t>(i);
        }
    }

    std::vector<std::uint32_t> slots_;
    std::vector<Key> keys_;
};

// The number of each of some hashes, and where each number first occurs.
struct Numbered {
    std::vector<std::uint32_t> numbers, first;
};

inline Numbered numbered(std::span<const std::uint64_t> hashes) {
    Numbering<std::uint64_t> numbering;
    Numbered made;
    made.numbers.reserve(hashes.size());
    Poll poll;
    for (const std::uint64_t hash : hashes) {
        poll();
        const std::uint32_t number = numbering.of(hash);
        if (number == made.first.size()) {
            made.first.push_back(static_cast<std::uint32_t>(made.numbers.size()));
        }
        made.numbers.push_back(number);
    }
    return made;
}

}  // namespace likewise
