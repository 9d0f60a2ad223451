#!/usr/bin/env bash
# Checks and measures the GPU code on a machine that has nothing but Python's torch 2.11.
#   scripts/gpu_check.sh --prepare   here: builds the programs against that LibTorch into the folder gpu_check/ (ignored by
#                                    git, at most 60 MiB); needs no GPU
#   scripts/gpu_check.sh --run       there: runs the GPU tests, bench eval and bench selfplay, and prints one table
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly TORCH="2.11.0"
readonly FOLDER=gpu_check
readonly MOST_MIB=60

say() { printf 'gpu_check: %s\n' "$*"; }
die() {
  printf 'gpu_check: error: %s\n' "$*" >&2
  exit 1
}

# Prints the folder of the torch package of a Python, without importing it.
torch_of() {
  "$1" -c "import importlib.util as u, os; print(os.path.dirname(u.find_spec('torch').origin))" 2>/dev/null
}

# ---- here ----

# Copies the libraries of a program that another machine may lack: all but LibTorch's, CUDA's and the C library's.
take_libraries() {
  local name path
  while read -r name _ path _; do
    [[ $path == /* ]] || continue
    case $name in
      libtorch* | libc10* | libcu* | libnv* | libnccl* | libutil.* | libshm* | libgomp* | libc.* | libm.* | libdl.* | libpthread.* | librt.* | libgcc_s.* | libstdc++.* | ld-linux*) ;;
      *) cp -nL "$path" "$FOLDER/lib/" ;;
    esac
  done < <(ldd "$1" || true)
}

prepare() {
  local build=build/gpu venv=build/gpu/venv torch
  mkdir -p "$build"
  if ! torch_of "$venv/bin/python" >/dev/null; then
    say "installing torch $TORCH into $venv"
    python3 -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps "torch==$TORCH" \
      'nvidia-cuda-runtime<14' 'nvidia-cuda-cupti<14' || die "pip could not install torch $TORCH"
  fi
  torch=$(realpath "$(torch_of "$venv/bin/python")")
  cmake --preset release -B "$build" -DAPIARY_NATIVE=OFF -DCMAKE_CXX_FLAGS=-march=x86-64-v3 -DAPIARY_TORCH_ROOT="$torch" \
    -DAPIARY_TORCH_CUDA=ON >"$build/configure.log" || die "CMake could not configure $build (log: $build/configure.log)"
  cmake --build "$build" --target apiary nn_torch_test --parallel "$(scripts/jobs.sh)" || die "the build failed"
  rm -rf "$FOLDER"
  mkdir -p "$FOLDER/lib"
  local program
  for program in "$build/apiary" "$build/tests/nn_torch_test"; do
    take_libraries "$program"
    strip -o "$FOLDER/${program##*/}" "$program"
  done
  cp tests/data/rules/human-games.tsv "$FOLDER/"
  local mib
  mib=$(du -sm "$FOLDER" | cut -f1)
  ((mib <= MOST_MIB)) || die "$FOLDER takes $mib MiB, more than $MOST_MIB"
  say "$FOLDER is ready, $mib MiB; on the machine with the GPU: scripts/gpu_check.sh --run"
}

# ---- on the machine with the GPU ----

run() {
  [[ -x $FOLDER/apiary ]] || die "there is no $FOLDER/apiary: run --prepare first, on a machine with a compiler"
  local torch version
  torch=$(torch_of python3) || die "python3 has no torch package"
  version=$(sed -n "s/^__version__ = '\([0-9]*\.[0-9]*\).*/\1/p" "$torch/version.py")
  [[ $version == "${TORCH%.*}" ]] || die "python3 has torch $version; the programs were built for ${TORCH%.*}"
  local libraries="$PWD/$FOLDER/lib:$torch/lib" folder
  for folder in "$torch"/../nvidia/*/lib; do libraries+=":$folder"; done
  export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

  local out
  out=$(mktemp -d)
  say "tests"
  "$FOLDER/nn_torch_test" --gtest_filter='Devices/DeviceEvaluators.*' | tee "$out/tests.txt" | tail -n 20
  ! grep -q 'no CUDA device' "$out/tests.txt" || die "LibTorch sees no GPU here: the tests were skipped"
  local net
  for net in 32x4 64x6; do
    say "bench eval $net"
    "$FOLDER/apiary" bench eval --json --device cuda --net "$net" --seconds 0.5 --data "$FOLDER/human-games.tsv" >>"$out/eval.jsonl"
    say "bench selfplay $net"
    nvidia-smi --query-gpu=utilization.gpu --format=csv,noheader,nounits -lms 500 >"$out/busy.$net" &
    local watcher=$!
    "$FOLDER/apiary" bench selfplay --json --device cuda --net "$net" --threads 14 --seconds 3 >>"$out/selfplay.jsonl"
    kill "$watcher"
  done
  python3 - "$out" <<'PYTHON'
import json, sys
out = sys.argv[1]
lines = lambda name: [json.loads(line) for line in open(f"{out}/{name}.jsonl")]
print(f"{'net':6} {'positions':>9} {'positions/s':>12} {'GFLOP/s':>9}")
for row in lines("eval"):
    if row["set"] == "Base":
        print(f"{row['net']:6} {row['batch']:9} {row['positions_per_s']:12.0f} {row['gflops']:9.0f}")
print(f"\n{'net':6} {'threads':>7} {'evals/s':>10} {'plies/s':>9} {'block':>6} {'occupancy':>9} {'GPU busy':>8}")
for row in lines("selfplay"):
    # The second half: the first warms up.
    busy = [float(line) for line in open(f"{out}/busy.{row['net']}") if line.strip()]
    busy = busy[len(busy) // 2:]
    share = sum(busy) / len(busy) if busy else float("nan")
    print(f"{row['net']:6} {row['threads']:7} {row['evals_per_s']:10.0f} {row['plies_per_s']:9.0f} "
          f"{row['positions_per_block']:6.0f} {row['occupancy']:9.2f} {share:7.0f}%")
PYTHON
  rm -rf "$out"
}

case ${1:-} in
  --prepare) prepare ;;
  --run) run ;;
  *)
    sed -n '2,5s/^# //p' "$0" >&2
    exit 2
    ;;
esac
