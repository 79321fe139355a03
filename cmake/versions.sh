# shellcheck shell=bash
# cmake/dependencies.txt: which versions were tested and which are accepted.

tested() { awk -v n="$1" '$1 == n { print $2 }' cmake/dependencies.txt; }
oldest() { awk -v n="$1" '$1 == n { print $3 }' cmake/dependencies.txt; }

at_least() {                                # at_least VERSION OLDEST
  [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -1)" = "$2" ]
}

new_enough() { at_least "$2" "$(oldest "$1")"; }    # new_enough NAME VERSION

check_version() {                           # check_version NAME VERSION
  [ -n "$2" ] || die "cannot tell which version of $1 this is"
  new_enough "$1" "$2" || die "$1 $2 is too old: $(oldest "$1") or newer is needed (tested with $(tested "$1"))"
}

used=()
uses() { used+=("$1 $2"); }                 # uses NAME VERSION: for the line that ./lab prints
say_versions() {
  local IFS=,
  say "with${used[*]/#/ }"
}
