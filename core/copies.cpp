#include "copies.hpp"

#include <algorithm>
#include <utility>

#include "candidates.hpp"
#include "groups.hpp"
#include "hash.hpp"
#include "interruption.hpp"

namespace likewise {

std::vector<std::uint32_t> find_copies(std::span<const Digest> digests,
                                       std::span<const std::uint64_t> counts) {
    std::vector<std::uint32_t> first(digests.size()), present;
    for (std::uint32_t i = 0; i < digests.size(); ++i) {
        first[i] = i;
        if (counts[i] > 0) present.push_back(i);
    }
    GroupFinder finder;
    std::vector<std::uint32_t> heads;
    finder.run(
        present.size(),
        [&](std::size_t i) {
            const Digest& digest = digests[present[i]];
            return fold_multiply(digest.sum ^ kWordStep, digest.parity ^ kFinalFactor);
        },
        [&](const std::uint32_t* members, std::size_t size) {
            // The grouping key has 64 bits, the digest 128: compare those in full.
            heads.clear();
            for (std::size_t m = 0; m < size; ++m) {
                const std::uint32_t document = present[members[m]];
                const auto head = std::find_if(heads.begin(), heads.end(), [&](std::uint32_t h) {
                    return digests[h] == digests[document];
                });
                if (head == heads.end()) {
                    heads.push_back(document);
                } else {
                    first[document] = *head;
                }
            }
        });
    return first;
}

namespace {

class Expansion {
  public:
    Expansion(std::span<const std::uint32_t> first, const std::uint8_t* sides,
              std::uint32_t max_copies)
        : sides_(sides), max_copies_(max_copies) {
        // Members by group, one after another: a counting sort by first document.
        starts_.assign(first.size() + 1, 0);
        for (const std::uint32_t f : first) ++starts_[f + 1];
        for (std::size_t i = 0; i < first.size(); ++i) starts_[i + 1] += starts_[i];
        members_.resize(first.size());
        std::vector<std::uint64_t> next(starts_.begin(), starts_.end() - 1);
        for (std::uint32_t i = 0; i < first.size(); ++i) members_[next[first[i]]++] = i;
    }

    void between(std::uint32_t g, std::uint32_t h, std::uint64_t origin) {
        if (sides_ == nullptr) return product(standing_for(g, 0), standing_for(h, 0), origin);
        product(standing_for(g, kLeft), standing_for(h, kRight), origin);
        product(standing_for(h, kLeft), standing_for(g, kRight), origin);
    }

    void inside(std::uint32_t g, std::uint64_t origin) {
        if (starts_[g + 1] - starts_[g] < 2) return;
        if (sides_ == nullptr) {
            const auto all = side_of(g, 0);
            const std::size_t partners = all.size() <= max_copies_ ? all.size() : 1;
            if (counting_) {
                count_ += partners * all.size() - partners * (partners + 1) / 2;
                return;
            }
            for (std::size_t i = 0; i < partners; ++i) {
                poll_();
                for (std::size_t j = i + 1; j < all.size(); ++j) push(all[i], all[j], origin);
            }
            return;
        }
        const auto left = side_of(g, kLeft), right = side_of(g, kRight);
        if (left.empty() || right.empty()) return;
        if (std::max(left.size(), right.size()) <= max_copies_) return product(left, right, origin);
        product({left[0]}, right, origin);
        product({left.begin() + 1, left.end()}, {right[0]}, origin);
    }

    // After a first round, which counts the pairs. To let long lists grow would take their memory
    // twice, and copy them in one go.
    void make_room() {
        result.a.reserve(count_);
        result.b.reserve(count_);
        result.origin.reserve(count_);
        counting_ = false;
    }

    ExpandedPairs result;

  private:
    using Members = std::vector<std::uint32_t>;

    Members side_of(std::uint32_t g, std::uint8_t side) const {
        Members chosen;
        for (std::uint64_t i = starts_[g]; i < starts_[g + 1]; ++i) {
            if (side == 0 || (sides_[members_[i]] & side)) chosen.push_back(members_[i]);
        }
        return chosen;
    }

    Members standing_for(std::uint32_t g, std::uint8_t side) const {
        Members members = side_of(g, side);
        if (members.size() > max_copies_) members.resize(1);
        return members;
    }

    void product(const Members& from, const Members& to, std::uint64_t origin) {
        if (counting_) {
            count_ += std::uint64_t{from.size()} * to.size();
            return;
        }
        for (const std::uint32_t x : from) {
            poll_();
            for (const std::uint32_t y : to) push(x, y, origin);
        }
    }

    void push(std::uint32_t x, std::uint32_t y, std::uint64_t origin) {
        if (sides_ == nullptr && x > y) std::swap(x, y);
        result.a.push_back(x);
        result.b.push_back(y);
        result.origin.push_back(origin);
    }

    const std::uint8_t* sides_;
    const std::size_t max_copies_;
    std::vector<std::uint64_t> starts_;
    std::vector<std::uint32_t> members_;
    bool counting_ = true;
    std::uint64_t count_ = 0;
    Poll poll_;
};

}  // namespace

ExpandedPairs expand_copies(std::span<const std::uint32_t> first, const std::uint8_t* sides,
                            std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                            std::uint32_t max_copies) {
    Expansion expansion(first, sides, max_copies);
    Poll poll;
    const auto expand = [&] {
        for (std::size_t i = 0; i < a.size(); ++i) {
            poll();
            expansion.between(a[i], b[i], i);
        }
        for (std::uint32_t g = 0; g < first.size(); ++g) {
            poll();
            expansion.inside(g, a.size() + g);
        }
    };
    expand();
    expansion.make_room();
    expand();
    return std::move(expansion.result);
}

}  // namespace likewise
