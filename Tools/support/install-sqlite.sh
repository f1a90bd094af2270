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
  whimbrel_apt_install SQLite libsqlite3-dev
}

whimbrel_install_sqlite
