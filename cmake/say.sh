# shellcheck shell=bash
# Progress: one line a step, with the seconds since the start; what a step prints goes to build/log.

say() { printf '[%4d s] %s\n' "$SECONDS" "$*"; }

die() { printf 'lab: %s\n' "$1" >&2; exit "${2:-1}"; }    # die MESSAGE [STATUS]

run_logged() {                              # run_logged TITLE COMMAND…
  local title=$1 log=build/log/${1//[^a-z0-9-]/-}.log
  shift
  say "$title …"
  if ! "$@" > "$log" 2>&1; then
    tail -n 60 "$log" >&2
    die "$title failed; all of its output is in $log"
  fi
}
