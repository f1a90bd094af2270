# shellcheck shell=bash
# Source this: it installs LMDB's library and headers when they are missing, with apt-get or brew.

# Whether a build will find lmdb.h.
whimbrel_has_lmdb() {
  if command -v pkg-config >/dev/null 2>&1 && pkg-config --exists lmdb; then
    return 0
  fi
  # Without pkg-config SwiftPM still finds what lies in the system's own folders, and asks brew.
  if [ "$(uname -s)" = Darwin ]; then
    command -v brew >/dev/null 2>&1 && [ -e "$(brew --prefix)/opt/lmdb/include/lmdb.h" ]
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
  elif command -v brew >/dev/null 2>&1; then
    echo "Installing LMDB (brew install lmdb) ..." >&2
    brew install --quiet lmdb >&2 || {
      echo "Error: brew could not install LMDB: see above." >&2
      return 1
    }
  else
    echo "Error: LMDB is missing, and neither apt-get nor brew is here to install it." >&2
    echo "Hint: Install LMDB's library and headers (lmdb.h), then try again." >&2
    return 1
  fi
  whimbrel_has_lmdb || {
    echo "Error: LMDB was installed, but lmdb.h is not where a build looks for it." >&2
    return 1
  }
}

whimbrel_install_lmdb
