#include "runs.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "hash.hpp"
#include "interruption.hpp"
#include "slots.hpp"

namespace likewise {
namespace {

constexpr std::size_t kMostPlaces = 8;

// The places of every stretch of `least` words of a text, by a rolling hash. What it finds is
// compared word by word by the callers.
class Places {
  public:
    Places(std::span<const std::uint32_t> words, std::uint32_t least) : least_(least) {
        for (std::uint32_t i = 1; i < least; ++i) leaving_ *= kWordStep;
        const std::size_t count = words.size() - least + 1;
        const unsigned bits = static_cast<unsigned>(std::bit_width(2 * count));
        shift_ = 64 - bits;
        fill(heads_, std::size_t{1} << bits, kNone);
        fill(next_, count, kNone);
        // From the back, so that a chain has the first places first.
        std::vector<std::uint64_t> hashes;
        fill(hashes, count);
        roll(words, [&](std::size_t i, std::uint64_t hash) { hashes[i] = hash; });
        Poll poll;
        for (std::size_t i = count; i-- > 0;) {
            poll();
            std::uint32_t& head = heads_[scattered(hashes[i]) >> shift_];
            next_[i] = head;
            head = static_cast<std::uint32_t>(i);
        }
        hashes_ = std::move(hashes);
    }

    // visit(i, hash) for every stretch of a text.
    template <class Visit>
    void roll(std::span<const std::uint32_t> words, Visit&& visit) const {
        std::uint64_t sum = 0;
        Poll poll;
        for (std::size_t i = 0; i < words.size(); ++i) {
            poll();
            if (i >= least_) sum -= value_of(words[i - least_]) * leaving_;
            sum = sum * kWordStep + value_of(words[i]);
            if (i + 1 >= least_) visit(i + 1 - least_, fold_multiply(sum, kFinalFactor));
        }
    }

    // visit(place) for each place of a hash, first places first, until it says false.
    template <class Visit>
    void each(std::uint64_t hash, Visit&& visit) const {
        for (std::uint32_t at = heads_[scattered(hash) >> shift_]; at != kNone; at = next_[at]) {
            if (hashes_[at] == hash && !visit(at)) return;
        }
    }

  private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    static std::uint64_t value_of(std::uint32_t word) {
        return fold_multiply(std::uint64_t{word} + 1, kWordStep);
    }

    std::uint32_t least_;
    std::uint64_t leaving_ = 1;
    unsigned shift_;
    std::vector<std::uint32_t> heads_, next_;
    std::vector<std::uint64_t> hashes_;
};

}  // namespace

std::vector<Run> common_runs(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                             std::uint32_t least) {
    std::vector<Run> found;
    if (least == 0 || a.size() < least || b.size() < least) return found;
    const Places places(b, least);
    // Where the last run of each diagonal (place in b less place in a) ends in a.
    std::unordered_map<std::int64_t, std::uint32_t> ended;
    std::uint32_t covered = 0;  // words of a before this are in some run
    places.roll(a, [&](std::size_t i, std::uint64_t hash) {
        const auto at = static_cast<std::uint32_t>(i);
        std::size_t seen = 0;
        bool many = false;
        places.each(hash, [&](std::uint32_t) { return many = ++seen > kMostPlaces, !many; });
        if (many && at + least <= covered) return;
        std::size_t taken = 0;
        places.each(hash, [&](std::uint32_t j) {
            const std::int64_t diagonal = std::int64_t{j} - at;
            const auto last = ended.find(diagonal);
            if (last == ended.end() || last->second < at + least) {
                std::uint32_t words = 0, before = 0;
                while (at + words < a.size() && j + words < b.size() &&
                       a[at + words] == b[j + words]) {
                    ++words;
                }
                if (words >= least) {  // and not two hashes that happen to be equal
                    while (before < at && before < j && a[at - before - 1] == b[j - before - 1]) {
                        ++before;
                    }
                    found.push_back({at - before, j - before, words + before});
                    ended[diagonal] = at + words;
                    covered = std::max(covered, at + words);
                }
            }
            return ++taken < kMostPlaces;
        });
    });
    Poll poll;
    std::sort(found.begin(), found.end(), polling(poll, [](const Run& x, const Run& y) {
                  return x.a != y.a ? x.a < y.a : x.b < y.b;
              }));
    return found;
}

}  // namespace likewise
