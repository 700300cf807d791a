// SPDX-License-Identifier: Apache-2.0
#define CATCH_CONFIG_MAIN
#include "tests/Support.h"

#include <catch2/catch.hpp>

std::string understudy::tests::sourceFolder() { return UNDERSTUDY_SOURCE; }
