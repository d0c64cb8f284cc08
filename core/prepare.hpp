// A document's bytes to the normalised text from which shingles are cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "buffer.hpp"
#include "rules.hpp"
#include "unicode.hpp"

namespace likewise {

// The prepared text of one document, in memory that the next document uses again.
class Prepared {
  public:
    // The text, in UTF-8, followed by kPadding spaces, so that kernels may read whole blocks.
    const char* data() const { return buffer_.data() + kFront; }
    std::size_t size() const { return size_; }

    bool ascii = true;          // the text is pure ASCII
    std::size_t invisible = 0;  // default ignorable characters that were removed

  private:
    friend class Preparation;

    // In front of the text, for a space before the first word that does not belong to it.
    static constexpr std::size_t kFront = 16;

    Buffer<char> buffer_;
    std::size_t size_ = 0;
    Segment segment_;
};

// Prepares one document: UTF-8, in which ill-formed bytes count as U+FFFD.
//
// Unit::word gives the words joined by single spaces; a word is a run of letters, marks and
// numbers, but in scripts without spaces each letter with its marks. Unit::character gives the
// normalised text with the characters that rules drop replaced by spaces, and spaces as
// rules.spaces says. Linear in the length of the text, whatever it contains.
void prepare(std::string_view utf8, const Rules& rules, Prepared& out);

}  // namespace likewise
