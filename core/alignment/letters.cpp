#include "alignment/letters.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <tuple>

#include "interruption.hpp"

namespace likewise {

namespace {

using Letters = std::span<const std::uint32_t>;

constexpr std::int32_t kEqual = 2, kOther = -3;
constexpr std::int32_t kDrop = 40;  // an alignment ends where the score falls by more than this
constexpr std::int32_t kBeyond = -(1 << 29);  // cells that are not reached

constexpr std::uint32_t kSeed = 8;            // equal letters in a row
constexpr std::uint32_t kRepeated = 32;       // times in b: such seeds are passed over
constexpr std::uint32_t kNear = 60;           // letters between two seeds of one place
constexpr std::uint32_t kCovered = 20;        // letters in the seeds of a place that is looked at
constexpr std::uint32_t kLane = 16;           // diagonals that are taken together
constexpr std::uint64_t kRowsPerLetter = 64;  // at most, in all alignments

constexpr double kLeastScore = 30, kScorePerPlace = 4;  // of an alignment, by the log of places

std::uint64_t mixed(std::uint64_t x) {
    x ^= x >> 33, x *= 0xff51afd7ed558ccd;
    x ^= x >> 33, x *= 0xc4ceb9fe1a85ec53;
    return x ^ (x >> 33);
}

// Hashes of the letters from every place.
std::vector<std::uint64_t> seeds_of(Letters letters) {
    std::vector<std::uint64_t> hashes(letters.size() < kSeed ? 0 : letters.size() - kSeed + 1);
    constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15;
    std::uint64_t power = 1, hash = 0;
    for (std::uint32_t i = 0; i < kSeed; ++i) power *= kBase;
    for (std::size_t i = 0; i < letters.size(); ++i) {
        hash = hash * kBase + letters[i] + 1;
        if (i >= kSeed) hash -= power * (letters[i - kSeed] + 1);
        if (i + 1 >= kSeed) hashes[i + 1 - kSeed] = mixed(hash);
    }
    return hashes;
}

// The places of each seed of a text, found by its hash.
class SeedIndex {
  public:
    explicit SeedIndex(const std::vector<std::uint64_t>& hashes) {
        for (std::uint32_t i = 0; i < hashes.size(); ++i) places_.push_back({hashes[i], i});
        Poll poll;
        std::ranges::sort(places_, polling(poll, [](const Place& x, const Place& y) {
                              return std::tie(x.hash, x.at) < std::tie(y.hash, y.at);
                          }));
        bits_ = std::max(1, static_cast<int>(std::bit_width(hashes.size())));
        first_.assign((std::size_t{1} << bits_) + 1, 0);
        for (const Place& place : places_) ++first_[bucket(place.hash) + 1];
        for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    }

    struct Place {
        std::uint64_t hash;
        std::uint32_t at;
    };

    std::span<const Place> places_of(std::uint64_t hash) const {
        std::uint32_t begin = first_[bucket(hash)];
        const std::uint32_t last = first_[bucket(hash) + 1];
        while (begin < last && places_[begin].hash < hash) ++begin;
        std::uint32_t end = begin;
        while (end < last && places_[end].hash == hash && end - begin <= kRepeated) ++end;
        return {places_.data() + begin, end - begin};
    }

  private:
    std::size_t bucket(std::uint64_t hash) const { return hash >> (64 - bits_); }

    std::vector<Place> places_;
    int bits_;
    std::vector<std::uint32_t> first_;
};

// Grows an alignment from a place in one direction, some rows at a time, each row a letter of a and
// the letters of b near the diagonal.
class Extension {
  public:
    Extension(Letters a, Letters b) : a_(a), b_(b) {}

    struct Found {
        std::int32_t score = 0;
        std::vector<std::array<std::uint32_t, 2>> equal;  // places, from the inside outwards
        std::uint64_t rows = 0;
    };

    // From the letters `a` and `b` on; backwards from those before them.
    Found grow(std::uint32_t a, std::uint32_t b, bool forwards) {
        Found found;
        for (bool more = true; more;) {
            const std::uint32_t left_a = forwards ? static_cast<std::uint32_t>(a_.size()) - a : a;
            const std::uint32_t left_b = forwards ? static_cast<std::uint32_t>(b_.size()) - b : b;
            const auto [score, row, column, ended] =
                fill(a, b, left_a, left_b, forwards, found.rows);
            if (score <= 0) break;
            trace(a, b, row, column, forwards, found);
            found.score += score;
            a = forwards ? a + row : a - row;
            b = forwards ? b + column : b - column;
            more = !ended;
        }
        return found;
    }

  private:
    static constexpr int kHalf = 24, kWidth = 2 * kHalf + 1;
    static constexpr std::uint32_t kRows = 512;
    enum Step : std::uint8_t { equal, other, only_a, only_b };
    using Row =
        std::array<std::int32_t, kWidth + 2>;  // with a cell that is not reached at the ends

    struct Best {
        std::int32_t score;
        std::uint32_t row, column;
        bool ended;
    };

    Best fill(std::uint32_t a, std::uint32_t b, std::uint32_t left_a, std::uint32_t left_b,
              bool forwards, std::uint64_t& rows) {
        Row before, here;
        before.fill(kBeyond);
        here.fill(kBeyond);
        for (int d = 0; d <= kHalf && d <= static_cast<int>(left_b); ++d) {
            before[kHalf + d + 1] = kOther * d;
            steps_[0][kHalf + d] = only_b;
        }
        Best best{0, 0, 0, true};
        const std::uint32_t last = std::min(left_a, kRows);
        std::uint32_t row = 1;
        for (; row <= last; ++row) {
            poll_();
            ++rows;
            const std::uint32_t letter = forwards ? a_[a + row - 1] : a_[a - row];
            const int least = std::max(-kHalf, -static_cast<int>(row));
            const int most = static_cast<int>(
                std::min<std::int64_t>(kHalf, static_cast<std::int64_t>(left_b) - row));
            bool reached = false;
            here.fill(kBeyond);
            for (int d = least; d <= most; ++d) {
                const int cell = kHalf + d + 1;
                const auto column = static_cast<std::uint32_t>(static_cast<int>(row) + d);
                std::int32_t score = before[cell + 1] + kOther;
                Step step = only_a;
                if (column > 0) {
                    const bool same = (forwards ? b_[b + column - 1] : b_[b - column]) == letter;
                    const std::int32_t across = before[cell] + (same ? kEqual : kOther);
                    if (across >= score) score = across, step = same ? equal : other;
                    if (here[cell - 1] + kOther > score)
                        score = here[cell - 1] + kOther, step = only_b;
                }
                if (score < best.score - kDrop) continue;
                here[cell] = score;
                steps_[row][kHalf + d] = step;
                reached = true;
                if (score > best.score) best = {score, row, column, true};
            }
            if (!reached) return best;
            std::swap(before, here);
        }
        best.ended = left_a <= kRows;
        return best;
    }

    void trace(std::uint32_t a, std::uint32_t b, std::uint32_t row, std::uint32_t column,
               bool forwards, Found& found) const {
        const std::size_t first = found.equal.size();
        while (row > 0 || column > 0) {
            const auto d = static_cast<std::int64_t>(column) - row;
            const Step step = steps_[row][static_cast<std::size_t>(kHalf + d)];
            if (step == equal) {
                found.equal.push_back(
                    {forwards ? a + row - 1 : a - row, forwards ? b + column - 1 : b - column});
            }
            if (step != only_b) --row;
            if (step != only_a) --column;
        }
        std::reverse(found.equal.begin() + static_cast<std::ptrdiff_t>(first), found.equal.end());
    }

    Letters a_, b_;
    std::array<std::array<Step, kWidth>, kRows + 1> steps_;
    Poll poll_;
};

class LetterAligner {
  public:
    LetterAligner(Letters a, Letters b) : a_(a), b_(b), extension_(a, b) {
        lanes_.resize((a.size() + b.size()) / kLane + 3);
        const double places =
            std::log(static_cast<double>(a.size()) * static_cast<double>(b.size()));
        least_ = static_cast<std::int32_t>(kLeastScore + kScorePerPlace * places);
        rows_left_ = kRowsPerLetter * (a.size() + b.size());
    }

    std::vector<LetterAlignment> run() {
        const SeedIndex index(seeds_of(b_));
        const std::vector<std::uint64_t> seeds = seeds_of(a_);
        Poll poll;
        for (std::uint32_t i = 0; i < seeds.size(); ++i) {
            poll();
            const auto places = index.places_of(seeds[i]);
            if (places.size() > kRepeated) continue;
            for (const SeedIndex::Place& place : places) meet(i, place.at);
        }
        std::ranges::stable_sort(found_, std::ranges::greater(), &LetterAlignment::score);
        return std::move(found_);
    }

  private:
    // What is known of some neighbouring diagonals: the seeds of one place, and how far they are
    // aligned already.
    struct Lane {
        std::uint32_t end = 0, covered = 0, aligned = 0;
    };

    std::size_t lane_of(std::uint32_t i, std::uint32_t j) const {
        return (i + b_.size() - j) / kLane + 1;
    }

    // A seed at letter i of a and j of b.
    void meet(std::uint32_t i, std::uint32_t j) {
        const std::size_t own = lane_of(i, j);
        std::uint32_t end = 0, covered = 0;
        for (std::size_t lane = own - 1; lane <= own + 1; ++lane) {
            const Lane& known = lanes_[lane];
            if (known.aligned > i) return;
            if (known.end + kNear < i || known.covered <= covered) continue;
            end = known.end, covered = known.covered;
        }
        Lane& lane = lanes_[own];
        lane.covered =
            covered +
            (covered == 0 ? kSeed : std::min(kSeed, i + kSeed - std::min(end, i + kSeed)));
        lane.end = i + kSeed;
        if (lane.covered >= kCovered && rows_left_ > 0) extend(i, j);
    }

    void extend(std::uint32_t i, std::uint32_t j) {
        const Extension::Found before = extension_.grow(i, j, false);
        const Extension::Found behind = extension_.grow(i, j, true);
        const std::uint64_t rows = before.rows + behind.rows;
        rows_left_ -= std::min(rows_left_, rows);
        LetterAlignment made{before.score + behind.score, {}};
        const auto add = [&](const std::array<std::uint32_t, 2>& at) {
            const auto [x, y] = at;
            lanes_[lane_of(x, y)].aligned = std::max(lanes_[lane_of(x, y)].aligned, x + 1);
            if (!made.equal.empty()) {
                Run& last = made.equal.back();
                if (last.a + last.words == x && last.b + last.words == y) {
                    ++last.words;
                    return;
                }
            }
            made.equal.push_back({x, y, 1});
        };
        std::for_each(before.equal.rbegin(), before.equal.rend(), add);
        std::ranges::for_each(behind.equal, add);
        if (made.score >= least_) found_.push_back(std::move(made));
    }

    Letters a_, b_;
    Extension extension_;
    std::vector<Lane> lanes_;
    std::vector<LetterAlignment> found_;
    std::int32_t least_;
    std::uint64_t rows_left_;
};

}  // namespace

std::vector<LetterAlignment> align_letters(const Spelling& a, const Spelling& b) {
    if (a.all().size() < kSeed || b.all().size() < kSeed) return {};
    return LetterAligner(a.all(), b.all()).run();
}

}  // namespace likewise
