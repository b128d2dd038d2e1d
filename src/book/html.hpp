#pragma once

#include <string>
#include <string_view>

#include "book/evidence.hpp"

namespace rootdk::book {

/// Text made safe inside HTML; formulas in \\( \\) stay formulas.
std::string escape(std::string_view text);

std::string step_link(const Step& step);
std::string hypothesis_link(std::string_view slug);

/// Status as a badge: a shape and a word, never colour alone.
std::string badge(Status status);
std::string_view css_class(Status status);
std::string_view shape(Status status);

/// What is shown only when its summary, HTML like it, is opened.
std::string fold(std::string_view summary, std::string_view html);

/// A duration or size of an error in few digits.
std::string number(double value);

}  // namespace rootdk::book
