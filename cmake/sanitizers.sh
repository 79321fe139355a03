# shellcheck shell=bash
# What the programs of build/test, made with GCC's sanitizers, run with.

# GCC 13 and older take some thread-local blocks of Mesa for ones with a header of glibc 2.19, by their address alone,
# and the search for leaks then ends in "Tracer caught signal 11": the interceptor that guesses is left out.
export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1:intercept_tls_get_addr=0
export LSAN_OPTIONS=suppressions=$PWD/cmake/leaks.txt
export UBSAN_OPTIONS=print_stacktrace=1
