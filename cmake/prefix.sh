# shellcheck shell=bash
# The private prefix: a newer Emscripten than the machine's, the sources of the libraries and the fonts, got as
# Debian packages and unpacked under $LAB_PREFIX. Nothing of the machine is upgraded or installed here, and
# nothing here needs root.
#
# A part is there when its .version file is. A part without one is started again, so an interruption costs no
# more than that part; packages that came down whole are not fetched twice.

suites=(forky trixie)                       # tried in this order

# Emscripten's programs are shell scripts that a blank in their own path breaks.
prefix_folder() {                           # LAB_PREFIX: given, or beside the build, or in the user's cache
  case ${LAB_PREFIX:=$PWD/build/prefix} in
    *[[:space:]]*)
      [ "$LAB_PREFIX" = "$PWD/build/prefix" ] || die "LAB_PREFIX is a folder with a blank in its name: $LAB_PREFIX"
      LAB_PREFIX=${XDG_CACHE_HOME:-$HOME/.cache}/attention-lab ;;
  esac
  mkdir -p "$LAB_PREFIX"
  LAB_PREFIX=$(cd "$LAB_PREFIX" && pwd)
  tools=$LAB_PREFIX/emscripten              # not relocatable: programs name their loader by its full path
  downloads=$LAB_PREFIX/download
}

# ---- Debian ------------------------------------------------------------------------------------------------

debian_mirror() {                           # where this machine gets its own Debian packages from
  local codename
  codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  # shellcheck disable=SC2016  # apt fills these in
  apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Identifier: Packages' |
    awk -v r="$codename" '$1 == r && $2 == "main" { print $3; exit }'
}

suite_ready() {                             # suite_ready SUITE: an apt of its own for that suite, with its lists
  local dir=$LAB_PREFIX/apt/$1 mirror
  [ ! -e "$dir/ready" ] || return 0
  mirror=$(debian_mirror)
  [ -n "$mirror" ] || die "no Debian mirror found in this machine's apt sources"
  rm -rf "$dir"
  mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial"
  : > "$dir/status"
  cat > "$dir/apt.sources" <<SOURCES
Types: deb deb-src
URIs: $mirror
Suites: $1
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
SOURCES
  cat > "$dir/apt.conf" <<CONF
Dir::Etc::sourcelist "$dir/apt.sources";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State::Lists "$dir/lists";
Dir::State::status "$dir/status";
Dir::Cache "$dir/cache";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "3";
CONF
  in_suite "$1" apt-get -qq update && touch "$dir/ready"
}

in_suite() {                                # in_suite SUITE COMMAND…
  APT_CONFIG=$LAB_PREFIX/apt/$1/apt.conf "${@:2}"
}

download() {                                # download SUITE DIR PACKAGE…
  mkdir -p "$2"
  (cd "$2" && in_suite "$1" apt-get -qq download "${@:3}")
}

libraries_of() {                            # libraries_of PACKAGE…: the shared libraries that they need
  apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
    --no-enhances "$@" | grep -E '^(lib|zlib)' | grep -vE '^(libc-bin|libc-gconv)' | sort -u
}

upstream_version() {                        # 1:5.0.1+ds-3 → 5.0.1; 3.12.0.really.3.11.3-3 → 3.11.3
  sed -E 's/^[0-9]+://; s/.*really\.//; s/[+~-].*//'
}

forget_mirrors() {                          # what is left must not name the hosts that it came from
  rm -rf "$LAB_PREFIX/apt" "$downloads"
}

# ---- Emscripten --------------------------------------------------------------------------------------------

# The compiler, the linker and Binaryen come from the same suite as Emscripten, whose dependencies keep them
# matched. They want a newer C library than the machine's: each program is pointed at the loader beside it.
get_emscripten() {                          # get_emscripten SUITE
  local suite=$1 dir=$downloads/emscripten-$1 n deb libraries
  suite_ready "$suite" || return 1
  n=$(in_suite "$suite" apt-cache depends emscripten | sed -n 's/.*Depends: clang-\([0-9]*\).*/\1/p' | head -1)
  [ -n "$n" ] || return 1
  mapfile -t libraries < <(in_suite "$suite" libraries_of "libclang-cpp$n" "libllvm$n" binaryen libstdc++6 libgcc-s1)
  download "$suite" "$dir" emscripten "clang-$n" "lld-$n" "llvm-$n" "libclang-common-$n-dev" binaryen node-acorn \
    "${libraries[@]}" || return 1

  rm -rf "$tools"
  mkdir -p "$tools"
  for deb in "$dir"/*.deb; do dpkg-deb --extract "$deb" "$tools/root" || return 1; done
  mv "$tools/root/usr/share/emscripten" "$tools/emscripten"
  # Emscripten imports acorn as a module, and for those Node looks only in a node_modules above the importer.
  rm -rf "$tools/emscripten/node_modules"
  mv "$tools/root/usr/share/nodejs" "$tools/emscripten/node_modules"
  point_at_own_loader "$n" || return 1
  write_emscripten_config "$n"
  "$tools/emscripten/emcc" --version >/dev/null || return 1
  tr -d '"' < "$tools/emscripten/emscripten-version.txt" | upstream_version > "$tools/.version"
}

point_at_own_loader() {                     # point_at_own_loader CLANG_VERSION
  local root=$tools/root loader libraries file
  loader=$(readlink -f "$(find "$root" -name 'ld-linux*.so.*' | head -1)")
  libraries=$(dirname "$(find "$root/usr/lib" -name 'libstdc++.so.6' | head -1)")
  # A library's own RUNPATH would keep the loader from looking where the program's RPATH says.
  find "$root/usr/lib" -type f -name '*.so*' | while read -r file; do
    if readelf -d "$file" 2>/dev/null | grep -qE '\((RPATH|RUNPATH)\)'; then patchelf --remove-rpath "$file"; fi
  done
  for file in "$root/usr/lib/llvm-$1/bin"/* "$root"/usr/bin/wasm*; do
    if [ ! -f "$file" ] || [ -L "$file" ] || ! readelf -l "$file" 2>/dev/null | grep -q INTERP; then continue; fi
    patchelf --set-interpreter "$loader" --force-rpath --set-rpath "$libraries:$root/usr/lib/llvm-$1/lib" "$file"
  done
}

write_emscripten_config() {                 # write_emscripten_config CLANG_VERSION
  cat > "$tools/emscripten/.emscripten" <<CONFIG
LLVM_ROOT = '$tools/root/usr/lib/llvm-$1/bin'
LLVM_ADD_VERSION = ''
CLANG_ADD_VERSION = ''
BINARYEN_ROOT = '$tools/root/usr'
NODE_JS = '$(command -v node)'
EMSCRIPTEN_ROOT = '$tools/emscripten'
CONFIG
  # trixie's package brings its system libraries built; forky's builds them into a cache at the first link
  [ -d "$tools/emscripten/cache/sysroot" ] || echo "CACHE = '$tools/cache'" >> "$tools/emscripten/.emscripten"
}

# ---- sources and fonts -------------------------------------------------------------------------------------

# Upstream's tarball only: the index of a moving suite can name Debian's own part when it is gone already.
get_source() {                              # get_source SUITE NAME DEBIAN_SOURCE_PACKAGE
  local suite=$1 name=$2 package=$3 dir=$downloads/$2-$1 new=$LAB_PREFIX/src/.new-$2 tarball
  suite_ready "$suite" || return 1
  mkdir -p "$dir"
  (cd "$dir" && in_suite "$suite" apt-get -qq source --download-only --tar-only --only-source "$package" >/dev/null) || return 1
  tarball=$(find "$dir" -name '*.orig.tar.*' ! -name '*.asc' | head -1)
  rm -rf "$new"
  mkdir -p "$new"
  tar xf "$tarball" -C "$new" --strip-components=1 || return 1
  basename "$tarball" | sed -E 's/^[^_]*_//; s/\.orig\.tar.*//' | upstream_version > "$new/.version"
  rm -rf "${LAB_PREFIX:?}/src/$name"
  mv "$new" "$LAB_PREFIX/src/$name"
}

# base-files has the full texts of the licences that the others only name. fontTools is unpacked and not installed:
# Debian's package of it pulls in a hundred megabytes that cutting a font does not need.
get_fonts() {                               # get_fonts SUITE
  local suite=$1 dir=$downloads/fonts-$1 new=$LAB_PREFIX/.new-fonts deb name
  suite_ready "$suite" || return 1
  download "$suite" "$dir" fonts-inter fonts-jetbrains-mono fonts-dejavu-core fonts-dejavu-mono \
    python3-fonttools base-files || return 1
  rm -rf "$new" "$LAB_PREFIX/fonts"
  for deb in "$dir"/*.deb; do
    dpkg-deb --extract "$deb" "$new" || return 1
    name=$(basename "$deb" | sed -E 's/_.*//; s/^fonts-//; s/^python3-//; s/^dejavu-.*/dejavu/')
    dpkg-deb --field "$deb" Version | upstream_version > "$new/$name.version"
  done
  PYTHONPATH=$new/usr/lib/python3/dist-packages python3 -m fontTools.subset --help >/dev/null || return 1
  cp "$new/inter.version" "$new/.version"
  mv "$new" "$LAB_PREFIX/fonts"
}

# SDL is built here once, and not in each build folder: its checks and files take half of a native build. It only
# opens a window and hands on events, so nothing is gained by optimizing it.
get_sdl2_native() {                         # get_sdl2_native SUITE: from the sources that are there, whatever suite
  local work=$LAB_PREFIX/.new-sdl2 version=$LAB_PREFIX/src/sdl2/.version
  rm -rf "$work" "$LAB_PREFIX/sdl2"
  cmake -S "$LAB_PREFIX/src/sdl2" -B "$work" -G Ninja -C cmake/sdl2_native.cmake -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_FLAGS_RELEASE=-O0 -DCMAKE_INSTALL_PREFIX="$LAB_PREFIX/sdl2" &&
    cmake --build "$work" && cmake --install "$work" && cp "$version" "$LAB_PREFIX/sdl2/.version" && rm -rf "$work"
}

# ---- all of it ---------------------------------------------------------------------------------------------

part_version() { cat "$LAB_PREFIX/$1/.version" 2> /dev/null; }

# part NAME FOLDER FUNCTION [ARGUMENT…]: got from the first suite that has it new enough, unless it is there.
part() {
  local name=$1 folder=$2 get=$3 suite version
  shift 3
  version=$(part_version "$folder") || true
  if [ -z "$version" ] || ! accepted "$name" "$version"; then
    : > "build/log/get-$name.log"
    for suite in "${suites[@]}"; do
      say "$name from Debian $suite …"
      ("$get" "$suite" "$@") >> "build/log/get-$name.log" 2>&1 || continue
      version=$(part_version "$folder")
      ! accepted "$name" "$version" || break
      echo "$suite has only $name $version" >> "build/log/get-$name.log"
    done
    if [ -z "$version" ] || ! accepted "$name" "$version"; then
      tail -n 30 "build/log/get-$name.log" >&2
      die "no Debian suite of (${suites[*]}) gave $name $(oldest "$name") or newer"
    fi
  fi
  uses "$name" "$version"
}

accepted() {                                # accepted NAME VERSION
  new_enough "$1" "$2" || [ "$2" = "$(oldest "$1-trixie")" ]
}

get_all() {                                 # get_all WHAT…: sources always; native, web
  local name
  for name in eigen:eigen3 imgui:imgui sdl2:libsdl2 json:nlohmann-json3 doctest:doctest; do
    part "${name%:*}" "src/${name%:*}" get_source "${name%:*}" "${name#*:}"
  done
  part inter fonts get_fonts
  for name in jetbrains-mono dejavu fonttools; do check_one "$name" "$(cat "$LAB_PREFIX/fonts/$name.version")"; done
  case " $* " in *" web "*) emscripten_there || own_emscripten ;; esac
  case " $* " in *" native "*) part sdl2-native sdl2 get_sdl2_native ;; esac
}

own_emscripten() {
  unset EM_CONFIG EM_CACHE EM_LLVM_ROOT EM_BINARYEN_ROOT      # another Emscripten's
  EMSCRIPTEN=$tools/emscripten
  part emscripten emscripten get_emscripten
  if [ ! -e "$tools/.libraries" ]; then build_system_libraries 9>&- & fi
}

# forky's Emscripten builds its C and C++ libraries at the first link, each kind of link its own. Two links like ours
# are made here, beside what else there is to do; one of ours that comes earlier waits for them.
build_system_libraries() {
  local like_ours=(-O1 -sASSERTIONS=0 -fno-exceptions -sALLOW_MEMORY_GROWTH=1)
  echo 'int main() { return 0; }' > "$tools/first.cpp"
  {
    "$EMSCRIPTEN/em++" "$tools/first.cpp" -o "$tools/first.js" "${like_ours[@]}" -Oz -sMALLOC=emmalloc \
      -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 &&
      "$EMSCRIPTEN/em++" "$tools/first.cpp" -o "$tools/first.js" "${like_ours[@]}" -sENVIRONMENT=node
  } > build/log/system-libraries.log 2>&1 && touch "$tools/.libraries"
}

# An Emscripten that is there and new enough is used as it is; one that is passed over is named.
# shellcheck disable=SC2034  # lab reads it
emscripten_there() {
  local on_path
  on_path=$(readlink -f "$(command -v emcc || true)") || true
  if [ -n "${EMSDK:-}" ] && emscripten_in EMSDK "$EMSDK/upstream/emscripten"; then return 0; fi
  [ -n "$on_path" ] && emscripten_in PATH "$(dirname "$on_path")"
}

emscripten_in() {                           # emscripten_in EMSDK|PATH FOLDER
  local version
  if [ ! -x "$2/emcc" ] || [ ! -r "$2/emscripten-version.txt" ]; then
    say "$1: no Emscripten in $2; passed over"
    return 1
  fi
  version=$(tr -d '"' < "$2/emscripten-version.txt" | upstream_version)
  if ! new_enough emscripten "$version"; then
    say "$1: Emscripten $version in $2 is older than $(oldest emscripten); passed over"
    return 1
  fi
  EMSCRIPTEN=$2
  uses emscripten "$version (from $1)"
}

# ---- npm ---------------------------------------------------------------------------------------------------

# What package-lock.json names, got again only when it changed. With --omit=dev: what a build needs, GPT-2's vocabulary.
npm_ready() {                               # npm_ready [--omit=dev]
  local stamp=node_modules/.attention-lab
  if cmp -s package-lock.json "$stamp" || cmp -s package-lock.json "$stamp$*"; then return 0; fi
  run_logged "npm packages" npm ci "$@" --ignore-scripts --no-audit --no-fund
  cp package-lock.json "$stamp$*"
}

# prefix native|web…: what these builds need is there; EMSCRIPTEN names the compiler's folder.
# shellcheck disable=SC2034
prefix() {
  exec 9> "$LAB_PREFIX/lock"
  flock --nonblock 9 || { say "waiting for another ./lab that fills $LAB_PREFIX"; flock 9; }
  get_all "$@"
  npm_ready --omit=dev
  forget_mirrors
  exec 9>&-
  say_versions
}
