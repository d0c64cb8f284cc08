// Which stretches of one text were copied from another, by the evidence of single words.
//
// A word that two stretches share speaks for copying as far as it is rare elsewhere: if a share
// lambda of the words of a copy is taken from the other stretch Y, a word that makes up a part y of
// Y and a part x of everything else has the evidence log(1 - lambda + lambda * y / x). Common words
// have almost none, rare shared words much, and a word that is not in Y log(1 - lambda) < 0.
// The stretch with the greatest sum is the copy. Lambda is estimated for each copy: near 1 where it
// is verbatim, which makes its edges sharp; less where it is edited, shuffled or translated.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "alignment/letters.hpp"
#include "placed_words.hpp"
#include "runs.hpp"

namespace likewise {

// One text as numbers: `gaps` has one entry more than `words`. Evidence is that of the words (or
// their stems); what is the same on both sides is counted by the forms, which may be the words.
struct WordSequence {
    std::span<const std::uint32_t> words;  // ids of one vocabulary for both texts
    std::span<const std::uint32_t> forms;  // of another one
    std::span<const Gap> gaps;
    std::span<const std::uint8_t> letters;  // of each word, as in PlacedWords
};

// What a passage gains by beginning or ending at a gap of each class.
using EdgeBonus = std::array<double, 4>;

struct AlignmentSettings {
    // Evidence.
    double own_share = 0.5;   // of the text's own rate in the background; the rest is general
    double most_ratio = 500;  // y / x counts as no more than this
    double least_lambda = 0.4, most_lambda = 0.97;
    // Candidates: windows of b against all of a.
    std::uint32_t window = 60, stride = 30;
    double candidate_lambda = 0.5;
    double candidate_evidence = 3;  // plus log(words of a * windows of b), the number of trials
    std::uint32_t window_budget = 4096;   // words of a looked at for one window, rare ones first
    std::uint32_t window_candidates = 8;  // at most, the strongest
    // Longer copies are taken as rows of fragments up to this size: the words of a long stretch are
    // no rarer outside it than inside, so as a whole it would have no evidence.
    std::uint32_t longest = 500;
    // Refining.
    std::uint32_t reach = 40;    // words around a fragment that may join it in one round
    std::uint32_t rounds = 12;   // at most
    std::uint32_t context = 10;  // words on each side that decide which occurrences belong together
    EdgeBonus edges{0, 5, 7, 7};
    // Merging: the gap may be as long as the shorter fragment, within these.
    std::uint32_t merge_least = 8, merge_most = 40;
    // Accepting.
    double least_evidence = 40;  // and log(words of a * words of b) more: so many places to begin
    double least_evidence_per_word = 0.3;
    std::uint32_t least_words = 16;  // matched ones
    double least_similarity = 0.4;   // matched words of all on both sides
    // Equal words in a row, whatever their evidence; 0: no such rule. Without spaces twice as
    // many letters.
    std::uint32_t least_run = 25;
    // Stretches that take their words from all over the other text.
    bool reworded = true;
    double reworded_evidence = 65;  // of different words that are in no equal run
    double reworded_evidence_per_word = 0.7;
    double reworded_distinct_per_word = 0.6;     // the same evidence, per word of the stretch
    double reworded_distinct_per_thousand = 30;  // and per thousand words of its source
    std::uint32_t reworded_words = 50;           // at least
    double reworded_ratio = 3.5;                 // minimum ratio of the length of its source
    std::uint32_t reworded_long = 3000;  // words of a text in which the source is narrowed down
};

// A passage that both texts share: words [a_begin, a_end) of a and [b_begin, b_end) of b.
struct AlignedPassage {
    std::uint32_t a_begin, a_end, b_begin, b_end;
    double evidence;           // of the words of the stretch, given the other one
    std::vector<Run> matches;  // words matched one to one, as runs of equal words, by place in a
    bool reworded;             // evidence by single words only; the matches are those words
};

// The passages of two texts, in the order of a; a should be the longer one, for the rest of a text
// shows which of its words are common. rates[id] is the general frequency of a word, in (0, 1].
std::vector<AlignedPassage> align(const WordSequence& a, const WordSequence& b,
                                  std::span<const double> rates, const AlignmentSettings& settings);

// The same where similar words count as equal ones, and their letters are known.
std::vector<AlignedPassage> align_similar(const WordSequence& a, const Spelling& in_a,
                                          const WordSequence& b, const Spelling& in_b,
                                          std::span<const double> rates,
                                          const AlignmentSettings& settings);

// Text number a of many with text number b, for many pairs; offsets[i] to offsets[i + 1] are the
// words of text i, and its gaps begin at offsets[i] + i. The spelling of all words, or none where
// only equal words match.
struct PairToAlign {
    std::uint32_t a, b;
};
std::vector<std::vector<AlignedPassage>> align_pairs(
    std::span<const std::uint32_t> words, std::span<const std::uint32_t> forms,
    std::span<const Gap> gaps, std::span<const std::uint8_t> letters,
    std::span<const std::uint64_t> offsets, std::span<const PairToAlign> pairs,
    std::span<const double> rates, const Spelling& spelling, const AlignmentSettings& settings,
    unsigned threads);

}  // namespace likewise
