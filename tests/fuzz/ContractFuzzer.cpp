// SPDX-License-Identifier: Apache-2.0
#include "ParserFuzzer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  understudy::tests::checkParser(data, size, understudy::specs::syntax::parseContract);
  return 0;
}
