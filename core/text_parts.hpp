// Lines and paragraphs of texts, each with a digest of its words in order.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rules.hpp"

namespace likewise {

enum class Split : std::uint8_t { lines, paragraphs };

// By document, then by place; parts without a word that counts are left out.
struct TextParts {
    std::vector<std::uint32_t> documents;
    std::vector<std::uint32_t> begins, ends;  // in code points; the ends of lines belong to a part
    std::vector<std::uint32_t> words;
    std::vector<std::uint64_t> low, high;  // the digest
    std::vector<std::uint32_t> totals;     // of each document, the words of all parts
};

// A line ends with any line terminator of Unicode, "\r\n" being one. A paragraph ends with a blank
// line, which belongs to it, a form feed or a paragraph separator. Equal parts have the same
// words, or characters, after preparation by the rules, in the same order; k and bag do not matter.
TextParts split_texts(std::span<const std::string_view> texts, Split split, const Rules& rules,
                      unsigned threads);

}  // namespace likewise
