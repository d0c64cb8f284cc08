// Which stretches of one text were copied from another, by the evidence of single words.
//
// A word that two stretches share speaks for copying as far as it is rare elsewhere: if a share
// lambda of the words of a copy is taken from the other stretch Y, a word that makes up a part y of
// Y and a part x of everything else has the evidence log(1 - lambda + lambda * y / x). Common words
// give about nothing, rare shared words much, and a word that Y does not hold log(1 - lambda) < 0.
// The stretch with the greatest sum is the copy. Lambda is estimated for each copy: near 1 where it
// is verbatim, which makes its edges sharp; less where it is edited, shuffled or translated.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "placed_words.hpp"

namespace likewise {

// One text as numbers: `gaps` has one entry more than `words`. Evidence is that of the words (or
// their stems); what is the same on both sides is counted by the forms, which may be the words.
struct WordSequence {
    std::span<const std::uint32_t> words;  // ids of one vocabulary for both texts
    std::span<const std::uint32_t> forms;  // of another one
    std::span<const Gap> gaps;
};

// What a fragment gains by beginning or ending at a gap of each class.
using EdgeBonus = std::array<double, 4>;

// Which side's evidence decides whether a fragment is a copy: that of a, the text that may hold
// copies; the stronger or the weaker of both, where nobody knows which came first.
enum class Judge : std::uint8_t { a, either, both };

struct AlignmentSettings {
    // Evidence.
    double own_share = 0.5;   // of the text's own rate in the background; the rest is general
    double most_ratio = 500;  // y / x counts as no more than this
    double least_lambda = 0.4, most_lambda = 0.97;
    // Candidates: windows of b against all of a.
    std::uint32_t window = 60, stride = 30;
    double candidate_lambda = 0.5;
    double candidate_evidence = 3;  // and log(words of a * windows of b) more: so many are tried
    std::uint32_t window_budget = 4096;   // words of a looked at for one window, rare ones first
    std::uint32_t window_candidates = 8;  // at most, the strongest
    // Longer copies are taken as rows of fragments up to this size: the words of a long stretch are
    // no rarer outside it than inside, so as a whole it would tell nothing.
    std::uint32_t longest = 500;
    // Refining.
    std::uint32_t reach = 40;    // words around a fragment that may join it in one round
    std::uint32_t rounds = 12;   // at most
    std::uint32_t context = 10;  // words on each side that decide which occurrences belong together
    EdgeBonus edges{0, 5, 7, 7};
    // Merging: the gap may be as long as the shorter fragment, within these.
    std::uint32_t merge_least = 8, merge_most = 40;
    // Accepting.
    Judge judge = Judge::a;
    double least_evidence = 40;  // and log(words of a * words of b) more: so many places to begin
    double least_evidence_per_word = 0.3;
    std::uint32_t least_words = 15;  // on each side
    std::uint32_t least_run = 25;    // equal words in a row, whatever they tell; 0: no such rule
    bool one_source = true;  // of a's words: of fragments half the same in a the better stays
    // A stretch of a that takes its words from all over b.
    bool summaries = true;
    double summary_evidence = 60;  // of its different words
    double summary_evidence_per_word = 0.7;
    std::uint32_t summary_words = 50;  // at least
    double summary_ratio = 3.5;        // b is at least so many times longer
    double summary_gain = 1;           // its evidence over that of any one fragment
    bool summary_whole = false;        // its source is all of b, not only where its words stand
};

// Words [a_begin, a_end) of a and [b_begin, b_end) of b.
struct Fragment {
    std::uint32_t a_begin, a_end, b_begin, b_end;
    double a_evidence, b_evidence;  // of each side, given the other
    double a_lambda, b_lambda;
    std::uint32_t shared;    // words matched one to one
    std::uint32_t in_order;  // the most of them that stand in the same order on both sides
    std::uint32_t adjacent;  // of them, those that follow the same matched word on both sides
    std::uint32_t run;       // the longest stretch of equal words
    bool summary;
};

// In the order of a. rates[id] is how often a word is met in general, in (0, 1].
std::vector<Fragment> align(const WordSequence& a, const WordSequence& b,
                            std::span<const double> rates, const AlignmentSettings& settings);

// Text number a of many with text number b, for many pairs; offsets[i] to offsets[i + 1] are the
// words of text i, and its gaps begin at offsets[i] + i.
struct PairToAlign {
    std::uint32_t a, b;
};
std::vector<std::vector<Fragment>> align_pairs(std::span<const std::uint32_t> words,
                                               std::span<const std::uint32_t> forms,
                                               std::span<const Gap> gaps,
                                               std::span<const std::uint64_t> offsets,
                                               std::span<const PairToAlign> pairs,
                                               std::span<const double> rates,
                                               const AlignmentSettings& settings, unsigned threads);

}  // namespace likewise
