# SPDX-License-Identifier: Apache-2.0
# Tells CMake about the PyTorch of the interpreter that runs this, one NAME=value a line, without importing torch
# (an import takes seconds and may need a driver).
import importlib.util
import pathlib
import runpy
import sys

found = importlib.util.find_spec("torch")
if found is None or found.origin is None:
    sys.exit("no torch package")
root = pathlib.Path(found.origin).parent
version = runpy.run_path(str(root / "version.py"))
wheels = root.parent / "nvidia"


def folders(name, marker):
    return ";".join(str(path) for path in sorted(wheels.glob(f"*/{name}")) if any(path.glob(marker)))


compilers = sorted(str(path) for path in wheels.glob("*/bin/nvcc"))
cxx11 = b"NSt7__cxx1112basic_string" in (root / "lib" / "libc10.so").read_bytes()
facts = {
    "ROOT": root,
    "VERSION": version["__version__"],
    "CUDA_VERSION": version.get("cuda") or "",
    "HIP_VERSION": version.get("hip") or "",
    "CXX11_ABI": int(cxx11),
    "CUDA_INCLUDES": folders("include", "*.h"),
    "CUDA_LIBRARIES": folders("lib", "*.so*"),
    "NVCC": compilers[0] if compilers else "",
}
for name, value in facts.items():
    print(f"{name}={value}")
