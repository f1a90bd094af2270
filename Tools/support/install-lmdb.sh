# shellcheck shell=bash
# Source this: it installs LMDB's library and headers with apt-get when they are missing. LMDB 1.0, which Homebrew
# installs, does not count: its files have another format.

# Whether a build will find lmdb.h of LMDB 0.9.
whimbrel_has_lmdb() {
  if command -v pkg-config >/dev/null 2>&1 && pkg-config --exists 'lmdb < 1'; then
    return 0
  fi
  # Without pkg-config SwiftPM still finds what lies in the system's own folders, and in those of PKG_CONFIG_PATH.
  if [ "$(uname -s)" = Darwin ]; then
    local folder
    while IFS= read -r -d : folder; do
      if grep -qs '^Version: *0\.9' "$folder/lmdb.pc"; then return 0; fi
    done <<<"${PKG_CONFIG_PATH:-}:"
    return 1
  else
    [ -e /usr/include/lmdb.h ]
  fi
}

# Runs a command as root: as it is, or through sudo.
whimbrel_as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

# Installs packages with apt-get, given what they are for. What apt-get prints goes to a log that is shown only
# when it fails.
whimbrel_apt_install() {
  local what=$1 log
  shift
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
    echo "Error: $what is missing, and installing it takes root." >&2
    echo "Hint: As root, run 'apt-get install $*', then try again." >&2
    return 1
  fi
  echo "Installing $what (apt-get install $*) ..." >&2
  log=$(mktemp)
  # A package source that has nothing to do with these packages may fail; the installation then decides.
  whimbrel_as_root apt-get update -qq >"$log" 2>&1 || true
  if ! whimbrel_as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "$@" >>"$log" 2>&1; then
    cat "$log" >&2
    echo "Error: apt-get could not install $what: see above." >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

# Installs LMDB when it is missing; says what it does, on standard error.
whimbrel_install_lmdb() {
  if whimbrel_has_lmdb; then
    return 0
  fi
  if command -v apt-get >/dev/null 2>&1; then
    whimbrel_apt_install LMDB liblmdb-dev pkg-config || return 1
  else
    echo "Error: LMDB 0.9 is missing, and apt-get is not here to install it." >&2
    echo "Hint: On macOS, build it as the article 'Getting started' shows: Homebrew has LMDB 1.0. On other" >&2
    echo "systems, install its library and headers (lmdb.h). Then try again." >&2
    return 1
  fi
  whimbrel_has_lmdb || {
    echo "Error: LMDB was installed, but lmdb.h is not where a build looks for it." >&2
    return 1
  }
}

whimbrel_install_lmdb
