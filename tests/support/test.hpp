#pragma once

/// \file
/// All that a test includes of the support: Catch2, properties, checks and evidence.

#include "support/catch.hpp"
#include "support/checks.hpp"
#include "support/evidence.hpp"
#include "support/property.hpp"
