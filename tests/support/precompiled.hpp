// What every test includes; compiled once.
#include <fmt/format.h>
#include <rapidcheck.h>

#include <boost/multiprecision/cpp_int.hpp>

#include "support/catch.hpp"
