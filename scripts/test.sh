#!/usr/bin/env bash
# scripts/test.sh [PRESET] [CTEST ARGUMENTS]: sets up, builds all and runs the tests. Presets: release (default), debug,
# asan, tsan, notorch. Without ctest arguments the slow tests are left out (-LE slow); `release -L slow` runs only those.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=release
if (($# > 0)) && [[ $1 != -* ]]; then
  preset=$1
  shift
fi
(($# > 0)) || set -- -LE slow

scripts/setup.sh --preset "$preset" --no-build
cmake --build "build/$preset" --parallel "$(scripts/jobs.sh)"

# The Python programs of docs/models.md are run where there is a .venv; without one, or without these, they are skipped.
if [[ -x .venv/bin/python ]]; then
  .venv/bin/python -m pip install --quiet --disable-pip-version-check --requirement tests/requirements.txt ||
    echo "test: tests/requirements.txt could not be installed: the programs of docs/models.md that need it are skipped" >&2
  export APIARY_PYTHON="${APIARY_PYTHON:-$PWD/.venv/bin/python}"
fi

# Leaks are reported as well: LibTorch is not instrumented, but what its singletons hold stays reachable. Stacks used after
# return are not looked for: GCC before 13.3 then misaligns vectors of 64 bytes (its bug 110027).
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=1:detect_stack_use_after_return=0:strict_string_checks=1}"
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1}"
export TSAN_OPTIONS="${TSAN_OPTIONS:-halt_on_error=1:second_deadlock_stack=1}"

run=()
# ThreadSanitizer of GCC 12 knows only the memory layout of kernels that randomise addresses less than new ones do.
if [[ $preset == tsan ]] && setarch "$(uname -m)" --addr-no-randomize true 2>/dev/null; then
  run=(setarch "$(uname -m)" --addr-no-randomize)
fi
exec ${run[@]+"${run[@]}"} ctest --test-dir "build/$preset" --output-on-failure --no-tests=error -j "$(nproc)" "$@"
