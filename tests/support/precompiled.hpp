// What most tests include and seldom changes, and the table, which all include; compiled once.
#include <fmt/format.h>
#include <rapidcheck.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>

#include "rootdk/derivation.hpp"
#include "support/catch.hpp"
