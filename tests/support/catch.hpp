#pragma once

/// \file
/// The only place that knows which Catch2 this is: v2 here, as Debian 12 has it. For v3, change this
/// header and listener.cpp.

#define CATCH_CONFIG_EXTERNAL_INTERFACES  // the listener's base class
#include <catch2/catch.hpp>
