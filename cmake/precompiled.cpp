// SPDX-License-Identifier: Apache-2.0
// Carries the precompiled ATen/ATen.h that the worker's files share; holds nothing itself.
