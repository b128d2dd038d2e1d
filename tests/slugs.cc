// Compiled by tests only, with -DHYPOTHESIS=... and -DSTEP=...: the table's slugs as template arguments.
#include "rootdk/derivation.hpp"

#define TEXT_OF(slug) #slug
#define TEXT(slug) TEXT_OF(slug)

template <rootdk::HypothesisRef H>
constexpr std::string_view hypothesis = H->slug;
template <rootdk::StepRef S>
constexpr std::string_view step = S->slug;

static_assert(hypothesis<TEXT(HYPOTHESIS)> == TEXT(HYPOTHESIS));
static_assert(step<TEXT(STEP)> == TEXT(STEP));
