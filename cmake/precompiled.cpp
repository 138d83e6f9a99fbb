// SPDX-License-Identifier: Apache-2.0
// Carries a precompiled header that other targets share; holds nothing itself.
