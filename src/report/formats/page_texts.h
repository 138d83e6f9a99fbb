// SPDX-License-Identifier: Apache-2.0
// Style sheet and script of the page (page.css, page.js), compiled in by CMake.
#pragma once

namespace etalon::report {

const char* page_style();
const char* page_script();

}  // namespace etalon::report
