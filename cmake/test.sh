# shellcheck shell=bash
# ./lab test: each runner says how many tests passed and failed; the sum is the last line.

counts=build/log/counts                     # a line each: passed, failed; a file, for some run in the background

count() { echo "$1 $2" >> "$counts"; }      # count PASSED FAILED

counts_in() {                               # counts_in LOG: "PASSED FAILED", as doctest or node --test prints them
  awk '/^\[doctest\] test cases:/ { for (i = 1; i <= NF; i++) { if ($i == "passed") p += $(i-1); if ($i == "failed") f += $(i-1) } seen = 1 }
       /^# pass /      { p += $3; seen = 1 }
       /^# (fail|cancelled) / { f += $3; seen = 1 }
       END { if (seen) print p + 0, f + 0 }' "$1"
}

# What failed, with its reasons, as doctest or node --test prints it; the end of the log where nothing says so.
failures_in() {                             # failures_in LOG
  awk '/^ *not ok /              { until = "^ *\\.\\.\\.$" }
       /: (FATAL )?ERROR: /       { until = "^$" }
       until                      { print; any = 1; if ($0 ~ until) until = "" }
       END                        { exit !any }' "$1" | head -n 300 | grep . || tail -n 100 "$1"
}

# shellcheck disable=SC2154  # used: cmake/versions.sh
fingerprint() {                             # fingerprint PATH…: of all files there and of what was used to run them
  { find "$@" -type f -print0 | sort -z | xargs -0 sha256sum; echo "${used[*]}" "$(chromium_version)"; } | sha256sum
}

# A runner that stops without a count, or with an error that it did not count, or that ran nothing has failed. What
# passed and has not changed since is not run again, unless it was asked for by name.
run_tests() {                               # run_tests TITLE "PATH…" COMMAND…: the paths are what the tests depend on
  local title=$1 passed=build/log/passed-$1 log=build/log/test-$1.log status=0 p f began=$SECONDS now
  # shellcheck disable=SC2086  # a list
  now=$(fingerprint $2)
  shift 2
  if [ "$by_name" = no ] && read -r p 2> /dev/null < "$passed" && [ "$(tail -n 1 "$passed")" = "$now" ]; then
    count "$p" 0
    say "test $title: $p passed, and nothing has changed since"
    return
  fi
  rm -f "$passed"
  "$@" > "$log" 2>&1 < /dev/null || status=$?
  read -r p f < <(counts_in "$log") || { p=0 f=0; }
  if [ "$f" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$p" -eq 0 ]; }; then f=1; fi
  count "$p" "$f"
  say "test $title: $p passed, $f failed ($((SECONDS - began)) s)"
  if [ "$f" -eq 0 ]; then printf '%s\n' "$p" "$now" > "$passed"; fi
  if [ "$f" -gt 0 ]; then
    failures_in "$log"
    say "exit status $status; all of the output is in $log"
  fi
}

test_build() {                              # test_build TITLE COMMAND…: one that fails is a failed test
  if ! ("${@:2}"); then
    count 0 1
    return 1
  fi
}

test_native() {
  test_build native build test build/test lab_tests lab_draw_tests attention-lab || return 0
  packages_for_tests
  # Mesa's software driver: EGL without a display and without a graphics card
  (run_tests native "build/test/lab_tests tests/fixtures" build/test/lab_tests
    LIBGL_ALWAYS_SOFTWARE=1 EGL_PLATFORM=surfaceless \
      run_tests draw "build/test/lab_draw_tests src shaders web tests/references" build/test/lab_draw_tests) &
}

test_wasm() {
  test_build wasm web lab_tests node_cli || return 0
  run_tests wasm "build/wasm/lab_tests.js build/wasm/lab_tests.wasm tests/fixtures" node build/wasm/lab_tests.js &
}

test_web() {
  test_build web web compressed single_file node_cli || return 0
  test_build native build test build/test attention-lab || return 0
  packages_for_tests
  say "with chromium $(chromium_version)"
  npm_ready
  wait                                      # two browsers are enough for the machine
  run_tests web "build/web build/wasm/attention-lab.html build/wasm/attention-lab.js build/wasm/attention-lab.wasm
    build/test/attention-lab tests/web tests/bench web package-lock.json" node --test --test-reporter=tap --test-concurrency=2 \
    tests/web/*.test.mjs tests/bench/*.test.mjs
}

# The page and the single file in Firefox and WebKit too; only when asked for, and in CI.
test_engines() {
  packages_for_tests
  need engines
  test_build web web compressed single_file || return 0
  npm_ready
  wait
  say "with firefox $(firefox-esr --version | sed 's/[^0-9]*//'), webkit $(dpkg-query --show --showformat '${Version}' webkit2gtk-driver)"
  run_tests engines "build/web build/wasm/attention-lab.html tests/engines web package-lock.json" \
    node --test --test-reporter=tap tests/engines/*.test.mjs
}

torch_python() {                            # the python3 that has torch: the PATH's, or Debian's own
  local python
  for python in python3 /usr/bin/python3; do
    if "$python" -c 'import importlib.util as u, sys; sys.exit(u.find_spec("torch") is None)'; then
      echo "$python"
      return
    fi
  done
  return 1
}

# What the page gives away as .py, run by PyTorch itself; never without being asked, for torch is large.
test_torch() {
  local write=() python
  [ "$rewrite" = no ] || write=(--write)
  python=$(torch_python) || { need torch; python=/usr/bin/python3; }
  test_build native build test build/test attention-lab || return 0
  run_tests torch "build/test/attention-lab tests/fixtures/programs tests/torch" \
    "$python" tests/torch/programs.py build/test/attention-lab tests/fixtures/programs "${write[@]}"
  grep '^torch ' build/log/test-torch.log || true
}

peers_ready() {                             # the same of tests/bench, for ./lab bench alone: 200 MB beside the build
  local stamp=build/bench/node_modules/.attention-lab
  if cmp -s tests/bench/package-lock.json "$stamp"; then return 0; fi
  mkdir -p build/bench
  cp tests/bench/package.json tests/bench/package-lock.json build/bench
  run_logged "npm packages to compare with" npm --prefix build/bench ci --ignore-scripts --no-audit --no-fund
  cp tests/bench/package-lock.json "$stamp"
}

lab_test() {                                # lab_test [native|wasm|web|engines|torch]… [--engines] [--write]
  local kinds=() kind by_name=yes rewrite=no
  for kind in "$@"; do
    case $kind in
      native | wasm | web | engines | torch) kinds+=("$kind") ;;
      --engines) kinds+=(native wasm web engines); by_name=no ;;
      --torch) kinds+=(torch) ;;
      --write) rewrite=yes ;;
      *) die "./lab test native|wasm|web|engines|torch [--engines] [--write]" ;;
    esac
  done
  [ "$rewrite" = no ] || [[ " ${kinds[*]} " == *" torch "* ]] || die "--write is for ./lab test torch"
  [ ${#kinds[@]} -gt 0 ] || { kinds=(native wasm web); by_name=no; }
  need test
  prefix native web
  : > "$counts"
  for kind in "${kinds[@]}"; do "test_$kind"; done
  wait
  awk '{ p += $1; f += $2 } END { print p + 0 " passed, " f + 0 " failed"; exit !(p > 0 && f == 0) }' "$counts"
}
