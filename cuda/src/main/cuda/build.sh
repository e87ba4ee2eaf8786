#!/usr/bin/env bash
# Compiles step.cu to the PTX that the module ships, with the hash of its source. Needs nvcc; users do not.
set -eu
cd "$(dirname "$0")"
to=../resources/dev/discreet/cuda
made=$(mktemp)
trap 'rm -f "$made"' EXIT
# Compute capability 7.5 is the lowest that nvcc 13 knows. No fast arithmetic: denormal numbers and IEEE quotients stay.
"${NVCC:-nvcc}" -std=c++17 -O3 -arch=compute_75 -ptx step.cu -o "$made"
# PTX 7.0, which drivers from 450.36 (CUDA 11.0) on take: the kernels use nothing newer, and ptxas says so.
{
  printf '// source %s\n' "$(sha256sum step.cu | cut -d' ' -f1)"
  sed -e '/^\/\//d' -e 's/^\.version .*/.version 7.0/' "$made"
} >"$to/step.ptx"
"${PTXAS:-ptxas}" -arch=sm_75 "$to/step.ptx" -o /dev/null
