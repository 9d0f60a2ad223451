#!/usr/bin/env bash
# From a bare Debian machine to build/PRESET/apiary. Safe to run again: takes seconds when nothing is to do.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly TORCH_PIN="2.15.0"
readonly PACKAGES=(
  g++ cmake ninja-build pkg-config python3 python3-venv
  libspdlog-dev libfmt-dev libeigen3-dev libgtest-dev libgmock-dev libbenchmark-dev libtomlplusplus-dev
  libcli11-dev nlohmann-json3-dev libzstd-dev libssl-dev
  libprotobuf-dev protobuf-compiler
)

usage() {
  cat <<'TEXT'
Usage: scripts/setup.sh [--preset NAME] [--no-build] [--no-packages]
Installs what is missing, finds or installs LibTorch, configures and builds build/NAME/apiary.
  --preset NAME   release (default), debug, asan, tsan or notorch
  --no-build      stop after the configuration
  --no-packages   do not look at Debian packages (they are installed in another way)
LibTorch is looked for in this order: the folder in the environment variable Torch_DIR or CMAKE_PREFIX_PATH (an unpacked
official zip), the torch package of the Python that is called python3, the torch package in .venv, which is installed
if need be.
TEXT
}

say() { printf 'setup: %s\n' "$*"; }
die() {
  printf 'setup: error: %s\n' "$*" >&2
  exit 1
}

# step TEXT FUNCTION: runs it and says how long it took. A function may set `done_text` to say what it found.
step() {
  local text=$1 start=$EPOCHREALTIME
  done_text="done"
  "$2"
  say "$text: $done_text ($(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }') s)"
}

# logged NAME COMMAND...: its output goes to build/setup-NAME.log, shown only where it fails.
logged() {
  local log="build/setup-$1.log"
  shift
  mkdir -p build
  if ! "$@" >"$log" 2>&1; then
    tail -n 15 "$log" >&2
    return 1
  fi
}

install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    die "this is not a Debian system: install what corresponds to '${PACKAGES[*]}' and run again with --no-packages"
  fi
  local installed missing=() package
  installed=" $(dpkg-query -W -f '${binary:Package} ${db:Status-Status}\n' | awk '$2 == "installed" { sub(/:.*/, "", $1); printf "%s ", $1 }')"
  for package in "${PACKAGES[@]}"; do
    [[ $installed == *" $package "* ]] || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then
    done_text="all there"
    return
  fi
  local root=()
  if ((EUID != 0)); then
    if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
      root=(sudo)
    else
      say "these Debian packages are missing, and only root can install them; run this line, then me again:"
      printf '  apt-get update && apt-get install -y --no-install-recommends %s\n' "${missing[*]}"
      exit 1
    fi
  fi
  say "installing ${missing[*]}"
  logged apt-update "${root[@]}" apt-get update || die "apt-get update failed: are the package servers reachable?"
  logged apt-install "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    "${missing[@]}" || die "apt-get could not install ${missing[*]}"
  done_text="installed ${#missing[@]}"
}

check_tools() {
  local compiler=${CXX:-g++} tool
  command -v "$compiler" >/dev/null || die "the C++ compiler '$compiler' is missing; install g++ 12 or newer, or set CXX"
  for tool in cmake ninja; do
    command -v "$tool" >/dev/null || die "'$tool' is missing; install Debian's packages cmake and ninja-build"
  done
  local version
  version=$(cmake --version | awk 'NR == 1 { print $3 }')
  [[ $(printf '%s\n3.25\n' "$version" | sort -V | head -n 1) == 3.25 ]] || die "CMake $version is too old: 3.25 is needed"
  done_text="$("$compiler" --version | sed -n 1p), CMake $version"
}

has_gpu() { command -v nvidia-smi >/dev/null && nvidia-smi >/dev/null 2>&1; }

# Prints the folder of the torch package of a Python, without importing it (that needs libraries which C++ does not).
torch_of() {
  "$1" -c "import importlib.util as u, os; print(os.path.dirname(u.find_spec('torch').origin))" 2>/dev/null
}

# True where FOLDER holds a LibTorch that is new enough to compile against.
usable_torch() {
  local header="$1/include/torch/headeronly/version.h"
  [[ -e $1/lib/libtorch_cpu.so && -e $1/include/torch/csrc/api/include/torch/torch.h ]] || return 1
  [[ -e $header ]] || header="$1/include/torch/csrc/api/include/torch/version.h"
  awk '/define TORCH_VERSION_MAJOR/ { major = $3 } /define TORCH_VERSION_MINOR/ { minor = $3 }
       END { exit !(major > 2 || (major == 2 && minor >= 11)) }' "$header"
}

# True where .venv holds the pinned wheel and what it needs. RECORD is what pip writes last.
venv_ready() {
  local site
  site=$(.venv/bin/python -c "import sysconfig; print(sysconfig.get_path('purelib'))" 2>/dev/null) || return 1
  compgen -G "$site/torch-$TORCH_PIN*.dist-info/RECORD" >/dev/null || return 1
  compgen -G "$site/nvidia/*/lib/libcudart.so.13*" >/dev/null || return 1
  compgen -G "$site/nvidia/*/lib/libcupti.so.13*" >/dev/null || return 1
  ! has_gpu || compgen -G "$site/nvidia/cudnn/lib/libcudnn.so*" >/dev/null
}

# The first Python that the wheel supports and that can make environments.
find_python() {
  local python
  for python in python3 /usr/bin/python3 python3.14 python3.13 python3.12 python3.11; do
    if "$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      printf '%s' "$python"
      return
    fi
  done
  die "no Python 3.11 or newer with the modules venv and ensurepip: install Debian's packages python3 and python3-venv"
}

install_torch_into_venv() {
  local python
  if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
    python=$(find_python)
    logged venv "$python" -m venv --clear .venv || die "$python could not make the Python environment .venv"
  fi
  local pip=(.venv/bin/python -m pip install --disable-pip-version-check --no-input --progress-bar off)
  if has_gpu; then
    say "installing LibTorch $TORCH_PIN with CUDA into .venv (about 3 GB to download)"
    logged pip "${pip[@]}" "torch==$TORCH_PIN"
  else
    say "installing LibTorch $TORCH_PIN into .venv (about 555 MB to download; no GPU here, so only what a CPU needs)"
    logged pip "${pip[@]}" --no-deps "torch==$TORCH_PIN" 'nvidia-cuda-runtime<14' 'nvidia-cuda-cupti<14'
  fi || die "LibTorch could not be downloaded from PyPI (log: build/setup-pip.log); run again, or give one by Torch_DIR"
  venv_ready || die "pip ended well, but .venv holds no whole LibTorch $TORCH_PIN; delete .venv and run again"
}

torch_arguments=()
find_torch() {
  local folder folders=()
  [[ -z ${Torch_DIR:-} ]] || folders+=("$Torch_DIR" "$Torch_DIR/../../..")
  IFS=: read -r -a prefixes <<<"${CMAKE_PREFIX_PATH:-}"
  for folder in ${folders[@]+"${folders[@]}"} ${prefixes[@]+"${prefixes[@]}"}; do
    if [[ -n $folder ]] && usable_torch "$folder"; then
      torch_arguments=("-DAPIARY_TORCH_ROOT=$(realpath "$folder")")
      done_text="yours, $folder"
      return
    fi
  done
  [[ -z ${Torch_DIR:-} ]] || die "Torch_DIR=$Torch_DIR holds no LibTorch 2.11 or newer"
  if folder=$(torch_of python3) && usable_torch "$folder"; then
    torch_arguments=("-DAPIARY_TORCH_ROOT=$folder")
    done_text="that of $(command -v python3)"
    return
  fi
  done_text="$TORCH_PIN in .venv"
  venv_ready || install_torch_into_venv
  torch_arguments=("-DAPIARY_TORCH_ROOT=$(realpath "$(torch_of .venv/bin/python)")")
}

configure() {
  logged configure cmake --preset "$preset" -DAPIARY_NATIVE=ON ${torch_arguments[@]+"${torch_arguments[@]}"} ||
    die "CMake could not configure preset $preset (log: build/setup-configure.log)"
  done_text="build/$preset"
}

build() {
  cmake --build "build/$preset" --target apiary --parallel "$(scripts/jobs.sh)" ||
    die "the build failed; its messages stand above"
  done_text="build/$preset/apiary"
}

preset=release
with_build=1
with_packages=1
while (($# > 0)); do
  case $1 in
    --preset)
      [[ $# -ge 2 ]] || die "--preset needs a name"
      preset=$2
      shift
      ;;
    --no-build) with_build=0 ;;
    --no-packages) with_packages=0 ;;
    -h | --help)
      usage
      exit 0
      ;;
    *)
      usage >&2
      exit 2
      ;;
  esac
  shift
done
case $preset in
  release | debug | asan | tsan | notorch) ;;
  *) die "unknown preset '$preset': expected release, debug, asan, tsan or notorch" ;;
esac

((with_packages == 0)) || step "Debian packages" install_packages
step "tools" check_tools
[[ $preset == tsan || $preset == notorch ]] || step "LibTorch" find_torch
step "configuration" configure
((with_build == 0)) || step "build" build
