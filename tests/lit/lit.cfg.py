# SPDX-License-Identifier: Apache-2.0
"""Tests of abstract.so: RUN lines and FileCheck. Run by ctest, see CMakeLists.txt."""
import os

import lit.formats

config.name = "abstract"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".c", ".ll"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["output"]

tools = lit_config.params["tools"]
config.environment["PATH"] = os.pathsep.join([tools, config.environment["PATH"]])
for name, value in {
    # IR with all accesses of the source, which does not say so: optimisers would change it.
    "%clang-ir": f"{tools}/clang -g -O0 -Xclang -disable-O0-optnone -fno-discard-value-names "
                 f"-w -I {lit_config.params['include']} -emit-llvm -S",
    "%clang-plain": f"{tools}/clang -g -w -emit-llvm -S",
    "%abstract": lit_config.params["abstract"],
    "%runtime": lit_config.params["runtime"],
    "%include": lit_config.params["include"],
    "%understudy": lit_config.params["understudy"],
}.items():
    config.substitutions.append((name, value))
