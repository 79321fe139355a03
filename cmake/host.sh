# shellcheck shell=bash
# What this machine itself must have. Each entry is PROOF=PACKAGE: a command, or a file, that shows it is there,
# and Debian's package for it; so what is there by other means counts too.

# shellcheck disable=SC2034  # read through ${!list}
host_run="cmake=cmake ninja=ninja-build python3=python3 node=nodejs npm=npm patchelf=patchelf readelf=binutils tar=tar
  xz=xz-utils bzip2=bzip2 flock=util-linux
  /usr/share/keyrings/debian-archive-keyring.gpg=debian-archive-keyring /etc/ssl/certs=ca-certificates"
host_native="$host_run g++=g++ /usr/include/GLES3/gl3.h=libgles-dev /usr/include/EGL/egl.h=libegl-dev
  /usr/include/png.h=libpng-dev /usr/include/X11/Xlib.h=libx11-dev /usr/include/X11/extensions/Xext.h=libxext-dev
  /usr/include/X11/Xcursor/Xcursor.h=libxcursor-dev /usr/include/X11/extensions/XInput2.h=libxi-dev
  /usr/include/X11/extensions/Xrandr.h=libxrandr-dev /usr/include/X11/extensions/Xfixes.h=libxfixes-dev"
host_test="$host_native chromium=chromium /usr/share/doc/libgl1-mesa-dri=libgl1-mesa-dri
  /usr/share/doc/libegl-mesa0=libegl-mesa0"
host_engines="$host_test firefox-esr=firefox-esr WebKitWebDriver=webkit2gtk-driver Xvfb=xvfb"
host_torch="/usr/bin/python3=python3 /usr/lib/python3/dist-packages/torch/__init__.py=python3-torch"
host_format="clang-format=clang-format"

there() {                                   # there PROOF
  case $1 in
    /*) [ -e "$1" ] ;;
    *) command -v "$1" > /dev/null ;;
  esac
}

missing() {                                 # missing LIST: the packages that are not there
  local entry
  for entry in $1; do there "${entry%%=*}" || echo "${entry#*=}"; done
}

apt_root() {                                # apt-get that waits for another one, tries again and asks nothing
  DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 "$@"
}

need() {                                    # need run|native|test|engines|torch|format
  local list=host_$1 packages
  mapfile -t packages < <(missing "${!list}")
  if [ ${#packages[@]} -gt 0 ]; then
    if [ "$(id -u)" != 0 ] || ! command -v apt-get > /dev/null; then
      die "missing: ${packages[*]}
as root: apt-get install --no-install-recommends ${packages[*]}"
    fi
    say "packages: ${packages[*]}"
    run_logged "apt-get update" apt_root update
    [ "$1" != test ] || mapfile -t packages < <(missing "$host_native")
    [ ${#packages[@]} -eq 0 ] || run_logged "apt-get install" apt_root install --no-install-recommends "${packages[@]}"
    [ "$1" != test ] || install_for_tests
  fi
  case $1 in torch | format) ;; *) check_host "$1" ;; esac
}

# What only the tests run with, a browser above all, comes while the first builds are under way.
for_tests=                                  # the process that installs it
install_for_tests() {
  local packages
  mapfile -t packages < <(missing "$host_test")
  [ ${#packages[@]} -gt 0 ] || return 0
  apt_root install --no-install-recommends "${packages[@]}" > build/log/apt-for-tests.log 2>&1 &
  for_tests=$!
}
packages_for_tests() {                      # waits for it
  if [ -n "$for_tests" ] && ! wait "$for_tests"; then
    tail -n 60 build/log/apt-for-tests.log >&2
    die "apt-get install failed; all of its output is in build/log/apt-for-tests.log"
  fi
  for_tests=
  check_version chromium "$(chromium_version)"
}
chromium_version() { chromium --version 2> /dev/null | sed -n 's/^Chromium \([0-9.]*\).*/\1/p'; }

check_host() {
  check_one cmake "$(cmake --version | sed -n 's/^cmake version //p')"
  check_one node "$(node --version | tr -d v)"
  [ "$1" = run ] || check_one g++ "$(g++ -dumpfullversion)"
}

check_one() { check_version "$1" "$2"; uses "$1" "$2"; }
