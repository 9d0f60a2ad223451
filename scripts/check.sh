#!/usr/bin/env bash
# scripts/check.sh [--fix] [--format | --tidy] [FILE...]: clang-format and clang-tidy over our sources (all, or those named).
# --fix lets clang-format rewrite the files.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fix=0 format=1 tidy=1 files=()
for argument in "$@"; do
  case $argument in
    --fix) fix=1 ;;
    --format) tidy=0 ;;
    --tidy) format=0 ;;
    -*)
      sed -n '2,3s/^# //p' "$0" >&2
      exit 2
      ;;
    *) files+=("$argument") ;;
  esac
done
if ((${#files[@]} == 0)); then
  mapfile -t files < <(find base env nn mcts train play app bench tests docs \( -name '*.cc' -o -name '*.h' \) | sort)
fi
for tool in clang-format clang-tidy; do
  command -v "$tool" >/dev/null || {
    echo "check: error: $tool is missing; install Debian's packages clang-format and clang-tidy" >&2
    exit 1
  }
done

if ((format)); then
  if ((fix)); then
    clang-format -i "${files[@]}"
  else
    clang-format --dry-run --Werror "${files[@]}"
  fi
  echo "check: clang-format is content with ${#files[@]} files"
fi

if ((tidy)); then
  # Compile commands that clang understands: no precompiled headers or link-time optimisation of GCC.
  scripts/setup.sh --no-build
  cmake --preset release -B build/check -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
    -DAPIARY_TORCH_ROOT="$(sed -n 's/^APIARY_TORCH_ROOT:[A-Z]*=//p' build/release/CMakeCache.txt)" >/dev/null
  sources=()
  for file in "${files[@]}"; do
    [[ $file != *.cc ]] || grep -q "/$file\"" build/check/compile_commands.json && sources+=("$file")
  done
  printf '%s\0' "${sources[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy -p build/check --quiet
  echo "check: clang-tidy is content with ${#sources[@]} files"
fi
