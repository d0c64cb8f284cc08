#include "rare_words.hpp"

#include <algorithm>
#include <cmath>

#include "candidates.hpp"
#include "groups.hpp"
#include "threads.hpp"

namespace likewise {
namespace {

// For each entry (a word of a part) the parts that hold the word, and what sharing it is worth.
class Postings {
  public:
    struct Range {
        std::uint64_t begin = 0, end = 0;
        double worth = 0;
    };

    Postings(const WordParts& words, std::uint32_t most_documents) : ranges_(words.hashes.size()) {
        std::vector<std::uint32_t> part_of(words.hashes.size());
        for (std::size_t part = 0; part + 1 < words.offsets.size(); ++part) {
            std::fill(part_of.begin() + static_cast<std::ptrdiff_t>(words.offsets[part]),
                      part_of.begin() + static_cast<std::ptrdiff_t>(words.offsets[part + 1]),
                      static_cast<std::uint32_t>(part));
        }
        GroupFinder finder;
        finder.run(
            words.hashes.size(), [&](std::size_t i) { return words.hashes[i]; },
            [&](const std::uint32_t* group, std::size_t size) {
                std::uint32_t documents = 1;
                for (std::size_t i = 1; i < size; ++i) {
                    documents += words.documents[part_of[group[i]]] !=
                                 words.documents[part_of[group[i - 1]]];
                }
                if (documents < 2 || documents > most_documents) return;
                const double worth = std::log(static_cast<double>(words.count) / documents);
                const Range range{parts_.size(), parts_.size() + size, worth};
                for (std::size_t i = 0; i < size; ++i) {
                    parts_.push_back(part_of[group[i]]);
                    ranges_[group[i]] = range;
                }
            });
    }

    const Range& of(std::uint64_t entry) const { return ranges_[entry]; }
    std::span<const std::uint32_t> parts(const Range& range) const {
        return {parts_.data() + range.begin, range.end - range.begin};
    }

  private:
    std::vector<Range> ranges_;
    std::vector<std::uint32_t> parts_;
};

struct Found {
    std::vector<std::uint32_t> b;
    std::vector<double> evidence;
};

// One document against all behind it.
class Scorer {
  public:
    Scorer(const WordParts& words, const Postings& postings, const std::uint8_t* sides,
           double least)
        : words_(words),
          postings_(postings),
          sides_(sides),
          least_(least),
          sums_(words.documents.size()),
          best_(words.count) {}

    void add_part(std::uint32_t part) {
        const std::uint32_t a = words_.documents[part];
        for (auto entry = words_.offsets[part]; entry < words_.offsets[part + 1]; ++entry) {
            const auto& range = postings_.of(entry);
            const auto parts = postings_.parts(range);
            // Parts ascend with their documents: those behind are at the end.
            for (std::size_t i = parts.size(); i-- > 0 && words_.documents[parts[i]] > a;) {
                if (!sides_meet(sides_, a, words_.documents[parts[i]])) continue;
                if (sums_[parts[i]] == 0) touched_.push_back(parts[i]);
                sums_[parts[i]] += range.worth;
            }
        }
        for (const std::uint32_t other : touched_) {
            const std::uint32_t b = words_.documents[other];
            if (sums_[other] >= least_) {
                if (best_[b] == 0) found_.push_back(b);
                best_[b] = std::max(best_[b], sums_[other]);
            }
            sums_[other] = 0;
        }
        touched_.clear();
    }

    Found take() {
        std::sort(found_.begin(), found_.end());
        Found made;
        for (const std::uint32_t b : found_) {
            made.b.push_back(b);
            made.evidence.push_back(best_[b]);
            best_[b] = 0;
        }
        found_.clear();
        return made;
    }

  private:
    const WordParts& words_;
    const Postings& postings_;
    const std::uint8_t* sides_;
    double least_;
    std::vector<double> sums_, best_;
    std::vector<std::uint32_t> touched_, found_;
};

}  // namespace

WordParts cut_parts(std::span<const std::uint64_t> words, std::span<const std::uint64_t> offsets,
                    std::uint32_t length, std::uint32_t stride) {
    WordParts made;
    made.count = static_cast<std::uint32_t>(offsets.size() - 1);
    made.offsets.push_back(0);
    for (std::uint32_t document = 0; document < made.count; ++document) {
        const auto own =
            words.subspan(offsets[document], offsets[document + 1] - offsets[document]);
        for (std::size_t begin = 0; begin < own.size(); begin += stride) {
            const auto part = own.subspan(begin, std::min<std::size_t>(length, own.size() - begin));
            const auto at = static_cast<std::ptrdiff_t>(made.hashes.size());
            made.hashes.insert(made.hashes.end(), part.begin(), part.end());
            std::sort(made.hashes.begin() + at, made.hashes.end());
            made.hashes.erase(std::unique(made.hashes.begin() + at, made.hashes.end()),
                              made.hashes.end());
            made.offsets.push_back(made.hashes.size());
            made.documents.push_back(document);
            if (begin + length >= own.size()) break;
        }
    }
    return made;
}

SharedWords share_words(const WordParts& parts, const std::uint8_t* sides,
                        std::uint32_t most_documents, double least_evidence, unsigned threads) {
    const Postings postings(parts, most_documents);
    std::vector<std::uint32_t> first(parts.count + 1);  // part of each document
    for (const std::uint32_t document : parts.documents) ++first[document + 1];
    for (std::uint32_t i = 0; i < parts.count; ++i) first[i + 1] += first[i];
    std::vector<Found> found(parts.count);
    parallel_ranges(
        parts.count, grain_of(parts.count, threads), threads,
        [&] { return Scorer(parts, postings, sides, least_evidence); },
        [&](Scorer& scorer, std::size_t begin, std::size_t end) {
            for (std::size_t a = begin; a < end; ++a) {
                for (std::uint32_t part = first[a]; part < first[a + 1]; ++part) {
                    scorer.add_part(part);
                }
                found[a] = scorer.take();
            }
        });
    SharedWords made;
    for (std::size_t a = 0; a < parts.count; ++a) {
        made.a.insert(made.a.end(), found[a].b.size(), static_cast<std::uint32_t>(a));
        made.b.insert(made.b.end(), found[a].b.begin(), found[a].b.end());
        made.evidence.insert(made.evidence.end(), found[a].evidence.begin(),
                             found[a].evidence.end());
    }
    return made;
}

}  // namespace likewise
