# shellcheck shell=bash
# Source this after install-lmdb.sh: it installs SQLite's library and headers when they are missing,
# with apt-get. Apple's systems have them.

# Whether a build will find sqlite3.h.
whimbrel_has_sqlite() {
  [ "$(uname -s)" = Darwin ] || [ -e /usr/include/sqlite3.h ]
}

# Installs SQLite when it is missing; says what it does, on standard error.
whimbrel_install_sqlite() {
  if whimbrel_has_sqlite; then
    return 0
  fi
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "Error: SQLite is missing, and apt-get is not here to install it." >&2
    echo "Hint: Install SQLite's library and headers (sqlite3.h), then try again." >&2
    return 1
  fi
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
    echo "Error: SQLite is missing, and installing it takes root." >&2
    echo "Hint: As root, run 'apt-get install libsqlite3-dev', then try again." >&2
    return 1
  fi
  echo "Installing SQLite (apt-get install libsqlite3-dev) ..." >&2
  # A source of packages that has nothing to do with SQLite may fail; the installation then decides.
  whimbrel_as_root apt-get update -qq >&2 || true
  whimbrel_as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends libsqlite3-dev >&2 || {
    echo "Error: apt-get could not install SQLite: see above." >&2
    return 1
  }
}

whimbrel_install_sqlite
