#include "rare_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <mutex>
#include <tuple>

#include "candidates.hpp"
#include "threads.hpp"

namespace likewise {
namespace {

constexpr std::uint32_t kCommon = 0xFFFFFFFF;

// The words that may speak for a pair, numbered anew, and what sharing each is worth.
struct Rarity {
    std::vector<std::uint32_t> numbers;  // by the collection's numbers; kCommon for the others
    std::vector<double> worths;

    Rarity(const CollectionWords& words, const std::uint8_t* sides, std::uint32_t most_documents)
        : numbers(words.vocabulary(), kCommon) {
        const std::vector<std::uint8_t> held = sides_of(words, sides);
        for (std::uint32_t word = 0; word < words.vocabulary(); ++word) {
            const std::uint32_t holders = words.holders(word);
            if (holders < 2 || holders > most_documents) continue;
            if (sides != nullptr && held[word] != (kLeft | kRight)) continue;
            numbers[word] = static_cast<std::uint32_t>(worths.size());
            worths.push_back(worth_of(words.documents(), holders));
        }
    }

  private:
    static std::vector<std::uint8_t> sides_of(const CollectionWords& words,
                                              const std::uint8_t* sides) {
        std::vector<std::uint8_t> held(sides != nullptr ? words.vocabulary() : 0);
        Poll poll;
        for (std::uint32_t i = 0; sides != nullptr && i < words.documents(); ++i) {
            for (const std::uint32_t word : words.of(i)) {
                poll();
                held[word] |= sides[i];
            }
        }
        return held;
    }
};

// One document's parts with enough rare words to be worth a pair.
struct OwnParts {
    std::vector<std::uint32_t> words, sizes;

    void cut(std::span<const std::uint32_t> text, const Rarity& rarity,
             const RareWordSettings& settings) {
        for (std::size_t begin = 0; begin < text.size(); begin += settings.stride) {
            poll_interruption();
            const std::size_t end = std::min<std::size_t>(begin + settings.length, text.size());
            const auto at = static_cast<std::ptrdiff_t>(words.size());
            for (std::size_t i = begin; i < end; ++i) {
                if (rarity.numbers[text[i]] != kCommon) words.push_back(rarity.numbers[text[i]]);
            }
            std::sort(words.begin() + at, words.end());
            words.erase(std::unique(words.begin() + at, words.end()), words.end());
            double worth = 0;
            for (auto word = words.begin() + at; word != words.end(); ++word) {
                worth += rarity.worths[*word];
            }
            if (worth >= settings.least_evidence) {
                sizes.push_back(static_cast<std::uint32_t>(words.end() - words.begin() - at));
            } else {
                words.resize(static_cast<std::size_t>(at));
            }
            if (end == text.size()) break;
        }
        words.shrink_to_fit();
    }
};

Parts cut_parts(const CollectionWords& words, const Rarity& rarity,
                const RareWordSettings& settings, unsigned threads) {
    std::vector<OwnParts> own(words.documents());
    parallel_ranges(
        own.size(), grain_of(own.size(), threads), threads, [] { return 0; },
        [&](int, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                own[i].cut(words.of(static_cast<std::uint32_t>(i)), rarity, settings);
            }
        });
    std::size_t entries = 0, parts = 0;
    for (const OwnParts& one : own) {
        entries += one.words.size();
        parts += one.sizes.size();
    }
    Parts made;
    made.words.reserve(entries);
    made.documents.reserve(parts);
    made.offsets.reserve(parts + 1);
    made.offsets.push_back(0);
    made.firsts.reserve(own.size() + 1);
    for (std::uint32_t i = 0; i < own.size(); ++i) {
        made.firsts.push_back(static_cast<std::uint32_t>(made.size()));
        made.words.insert(made.words.end(), own[i].words.begin(), own[i].words.end());
        for (const std::uint32_t size : own[i].sizes) {
            made.offsets.push_back(made.offsets.back() + size);
            made.documents.push_back(i);
        }
        own[i] = {};
    }
    made.firsts.push_back(static_cast<std::uint32_t>(made.size()));
    return made;
}

// For each word the parts that contain it, in order; of some documents only, if there are sides.
class Postings {
  public:
    template <class Holds>
    Postings(const Parts& parts, std::size_t words, Holds&& holds) : starts_(words + 1) {
        const auto each = [&](auto&& visit) {
            Poll poll;
            for (std::uint32_t part = 0; part < parts.size(); ++part) {
                poll();
                if (!holds(parts.documents[part])) continue;
                for (const std::uint32_t word : parts.of(part)) visit(word, part);
            }
        };
        each([&](std::uint32_t word, std::uint32_t) { ++starts_[word + 1]; });
        for (std::size_t word = 0; word < words; ++word) starts_[word + 1] += starts_[word];
        parts_.resize(starts_.back());
        std::vector<std::uint64_t> next(starts_.begin(), starts_.end() - 1);
        each([&](std::uint32_t word, std::uint32_t part) { parts_[next[word]++] = part; });
    }

    std::span<const std::uint32_t> of(std::uint32_t word) const {
        return {parts_.data() + starts_[word], starts_[word + 1] - starts_[word]};
    }

  private:
    std::vector<std::uint64_t> starts_;
    std::vector<std::uint32_t> parts_;
};

// The best pairs of every document. Which they are does not depend on the order they come in.
class BestPairs {
  public:
    BestPairs(std::size_t documents, std::uint32_t most) : most_(most), best_(documents) {}

    void add(std::uint32_t x, std::uint32_t y, double evidence) {
        add_to(x, {evidence, y});
        add_to(y, {evidence, x});
    }

    SharedWords take() {
        std::vector<std::tuple<std::uint32_t, std::uint32_t, double>> pairs;
        for (std::uint32_t i = 0; i < best_.size(); ++i) {
            for (const Other& one : best_[i]) {
                pairs.emplace_back(std::min(i, one.document), std::max(i, one.document),
                                   one.evidence);
            }
            best_[i] = {};
        }
        Poll poll;
        std::sort(pairs.begin(), pairs.end(), polling(poll, std::less()));
        pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
        SharedWords made;
        for (const auto& [a, b, evidence] : pairs) {
            made.a.push_back(a);
            made.b.push_back(b);
            made.evidence.push_back(evidence);
        }
        return made;
    }

  private:
    struct Other {
        double evidence;
        std::uint32_t document;
    };
    static bool is_better(const Other& x, const Other& y) {
        return x.evidence != y.evidence ? x.evidence > y.evidence : x.document < y.document;
    }

    void add_to(std::uint32_t document, const Other& other) {
        const std::lock_guard lock(locks_[document % locks_.size()]);
        auto& best = best_[document];  // a heap: the worst of them in front
        if (best.size() == most_) {
            if (!is_better(other, best.front())) return;
            std::pop_heap(best.begin(), best.end(), is_better);
            best.back() = other;
        } else {
            best.push_back(other);
        }
        std::push_heap(best.begin(), best.end(), is_better);
    }

    const std::size_t most_;
    std::vector<std::vector<Other>> best_;
    std::array<std::mutex, 1024> locks_;
};

// Compares one document with others: all of another side, or those after it.
class Scorer {
  public:
    Scorer(const Parts& parts, const Postings& postings, std::span<const double> worths,
           bool only_later, double least, BestPairs& out)
        : parts_(parts),
          postings_(postings),
          worths_(worths),
          only_later_(only_later),
          least_(least),
          out_(out),
          sums_(parts.size()),
          best_(parts.firsts.size() - 1) {}

    void ask(std::uint32_t document) {
        for (auto part = parts_.firsts[document]; part < parts_.firsts[document + 1]; ++part) {
            add_part(part, only_later_ ? parts_.firsts[document + 1] : 0);
        }
        for (const std::uint32_t other : found_) {
            out_.add(document, other, best_[other]);
            best_[other] = 0;
        }
        found_.clear();
    }

  private:
    // Against the parts from `first` on.
    void add_part(std::uint32_t part, std::uint32_t first) {
        for (const std::uint32_t word : parts_.of(part)) {
            const auto others = postings_.of(word);
            const double worth = worths_[word];
            for (std::size_t i = others.size(); i-- > 0 && others[i] >= first;) {
                poll_();
                double& sum = sums_[others[i]];
                if (sum == 0) touched_.push_back(others[i]);
                sum += worth;
            }
        }
        for (const std::uint32_t other : touched_) {
            if (sums_[other] >= least_) {
                double& best = best_[parts_.documents[other]];
                if (best == 0) found_.push_back(parts_.documents[other]);
                best = std::max(best, sums_[other]);
            }
            sums_[other] = 0;
        }
        touched_.clear();
    }

    const Parts& parts_;
    const Postings& postings_;
    const std::span<const double> worths_;
    const bool only_later_;
    const double least_;
    BestPairs& out_;
    std::vector<double> sums_, best_;
    std::vector<std::uint32_t> touched_, found_;
    Poll poll_;
};

// The side with fewer words in its parts: it is looked up in the other.
std::uint8_t smaller_side(const Parts& parts, const std::uint8_t* sides) {
    std::uint64_t left = 0;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        if (sides[parts.documents[part]] & kLeft) left += parts.of(part).size();
    }
    return 2 * left <= parts.words.size() ? kLeft : kRight;
}

}  // namespace

double worth_of(std::uint64_t documents, std::uint64_t holders) {
    constexpr double kUnit = 1 << 20;
    const double worth = std::log(static_cast<double>(documents) / static_cast<double>(holders));
    return std::round(worth * kUnit) / kUnit;
}

SharedWords share_words(const CollectionWords& words, const std::uint8_t* sides,
                        const RareWordSettings& settings, unsigned threads) {
    const Rarity rarity(words, sides, settings.most_documents);
    return share_parts(cut_parts(words, rarity, settings, threads), rarity.worths, sides,
                       settings.least_evidence, settings.most_candidates, threads);
}

SharedWords share_parts(const Parts& parts, std::span<const double> worths,
                        const std::uint8_t* sides, double least_evidence,
                        std::uint32_t most_candidates, unsigned threads) {
    const std::size_t documents = parts.firsts.size() - 1;
    const bool apart = sides != nullptr && documents > 0 && sides[0] != (kLeft | kRight);
    const std::uint8_t asking = apart ? smaller_side(parts, sides) : kLeft;
    const auto asks = [&](std::uint32_t i) { return sides == nullptr || (sides[i] & asking); };
    const Postings postings(parts, worths.size(),
                            [&](std::uint32_t i) { return !apart || !(sides[i] & asking); });
    BestPairs best(documents, most_candidates);
    parallel_ranges(
        documents, grain_of(documents, threads), threads,
        [&] { return Scorer(parts, postings, worths, !apart, least_evidence, best); },
        [&](Scorer& scorer, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const auto document = static_cast<std::uint32_t>(i);
                if (asks(document)) scorer.ask(document);
            }
        });
    return best.take();
}

}  // namespace likewise
