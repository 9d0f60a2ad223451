#!/usr/bin/env bash
# scripts/verify_rules.sh [--threads T] [--hash MB] [--quick]: counts move trees and compares them with tests/data/rules:
# the start position of all eight variants to depth 7 and of Base to depth 8, all mid-game positions to depth 4.
# --quick: one ply less. Prints a line a count, with its time; exit code 1 if one differs. APIARY names the program
# (default build/release/apiary, else build/notorch/apiary). --hash 256 counts with a table of positions (default: none).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  sed -n '2,5s/^# //p' "$0" >&2
  exit 2
}

threads=0 hash=0 less=0
while (($# > 0)); do
  case $1 in
    --threads | --hash)
      (($# > 1)) || usage
      [[ $1 == --threads ]] && threads=$2 || hash=$2
      shift 2
      ;;
    --quick) less=1; shift ;;
    *) usage ;;
  esac
done

apiary=${APIARY:-}
for candidate in build/release/apiary build/notorch/apiary; do
  [[ -n $apiary ]] || { [[ -x $candidate ]] && apiary=$candidate; }
done
[[ -n $apiary ]] || {
  echo "verify_rules: error: no program found; build it (scripts/setup.sh) or set APIARY" >&2
  exit 1
}

counts=0 wrong=0
# verify NAME POSITION DEPTH EXPECTED
verify() {
  local line nodes seconds verdict=ok
  line=$("$apiary" perft "$2" --depth "$3" --threads "$threads" --hash "$hash" --json)
  nodes=$(sed -E 's/.*"nodes":([0-9]+).*/\1/' <<<"$line")
  seconds=$(sed -E 's/.*"seconds":([0-9.e+-]+).*/\1/' <<<"$line")
  counts=$((counts + 1))
  [[ $nodes == "$4" ]] || {
    verdict="WRONG, expected $4"
    wrong=$((wrong + 1))
  }
  printf '%-12s depth %d  %15s leaves  %9.2f s  %s\n' "$1" "$3" "$nodes" "$seconds" "$verdict"
}

SECONDS=0
while IFS=$'\t' read -r -a row; do
  [[ ${row[0]} != '#'* ]] || continue
  depth=7
  [[ ${row[0]} != Base ]] || depth=8
  depth=$((depth - less))
  verify "${row[0]}" "${row[0]}" "$depth" "${row[depth]}"
done <tests/data/rules/start-perft.tsv

number=0
while IFS=$'\t' read -r -a row; do
  [[ ${row[0]} != '#'* ]] || continue
  number=$((number + 1))
  verify "mid-game $number" "${row[0]}" $((4 - less)) "${row[$((4 - less))]}"
done <tests/data/rules/midgame-perft.tsv

echo "verify_rules: $counts counts, $wrong wrong, $SECONDS s ($("$apiary" --version | head -n 1))"
((wrong == 0))
