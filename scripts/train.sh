#!/usr/bin/env bash
# Sets up what is missing, then trains a net: 20 minutes of self-play with preset quick, in runs/first. Further arguments go
# to `apiary train`, for instance --seed 2. The same command resumes a run that was stopped.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh
exec build/release/apiary train --run runs/first --config quick "$@"
