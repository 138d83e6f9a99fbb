#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the formatter and the compiler do not see of the house style: the licence line, the length of files, pragma once.
set -euo pipefail
wrong=0
complain() { printf '%s\n' "$1"; wrong=1; }

while IFS= read -r file; do
  head -n 2 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' || complain "$file: no SPDX line at its head"
  lines=$(wc -l <"$file")
  ((lines <= 400)) || complain "$file: $lines lines, 400 are the limit"
  [[ $file != *.h ]] || grep -qx '#pragma once' "$file" || complain "$file: no #pragma once"
  ! grep -nE '\b(TODO|FIXME|XXX)\b' "$file" /dev/null || complain "$file: work left open"
done < <(find bootstrap .ci CMakeLists.txt cmake share src wire worker tests bench python \
  \( -name '*.cpp' -o -name '*.h' -o -name '*.cu' -o -name '*.py' -o -name '*.cmake' -o -name '*.sh' -o -name CMakeLists.txt \
  -o -path bootstrap -o -path .ci/run \) -not -path '*/fixtures/*' -not -path tests/house/style_test.sh 2>/dev/null)
exit $wrong
