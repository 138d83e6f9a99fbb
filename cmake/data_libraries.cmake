# SPDX-License-Identifier: Apache-2.0
# Libraries that turn texts into tokens: the system's packages. The controller needs none of them.
pkg_check_modules(SENTENCEPIECE REQUIRED IMPORTED_TARGET sentencepiece)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
