#!/usr/bin/env bash
# Runs the tests of Whimbrel Studio: attacks on its server, its API, and its page in a headless Chromium.
#
#   Tools/test studio                    everything: some minutes
#   Tools/test studio --short            what runs for every change: under 90 seconds
#   Tools/test studio --record           writes the reference screenshots anew; look at them
#   Tools/test studio -k filter          arguments go to pytest
#
#   WHIMBREL          the tool to test, instead of the debug build
#   WHIMBREL_ASSETS   a folder with the files of the page, instead of those in the tool
#   WHIMBREL_RELEASE  an optimised tool, for the measurements of test_speed.py
set -euo pipefail
root=$(CDPATH= cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
case "${1:-}" in
  -h | --help)
    sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"
    exit ;;
esac

# Debian's own browser and driver fit each other.
if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null || ! python3 -m venv --help >/dev/null 2>&1; then
  if ! command -v apt-get >/dev/null; then
    echo "Error: the tests need 'chromium', 'chromedriver' and 'python3' with 'venv'. Install them." >&2
    exit 69
  fi
  as_root=
  [ "$(id -u)" -eq 0 ] || as_root=sudo
  $as_root apt-get update --quiet
  $as_root apt-get install --quiet --yes --no-install-recommends \
    chromium chromium-driver python3-venv fonts-dejavu-core
fi

# A venv of its own, made anew when the requirements change.
studio=.build/studio
requirements=Tests/StudioBrowserTests/requirements.txt
if ! cmp --silent "$requirements" "$studio/venv/requirements.txt"; then
  rm -rf "$studio/venv"
  mkdir -p "$studio"
  python3 -m venv "$studio/venv"
  "$studio/venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$requirements"
  # Only for the file 'axe.min.js' in it, so without Playwright.
  "$studio/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps axe-playwright-python==0.1.8
  cp "$requirements" "$studio/venv/requirements.txt"
fi

if [ -z "${WHIMBREL:-}" ]; then
  # shellcheck source=Tools/support/install-lmdb.sh
  source Tools/support/install-lmdb.sh
  swift build --product whimbrel
  WHIMBREL=$(swift build --show-bin-path)/whimbrel
fi
WHIMBREL=$(realpath "$WHIMBREL")
export WHIMBREL PYTHONPYCACHEPREFIX="$root/$studio/pycache"

# Tests of many connections need as many open files.
ulimit -n "$(ulimit -Hn)" 2>/dev/null || true

report=$studio/report.xml
rm -f "$report"
begin=$SECONDS
status=0
"$studio/venv/bin/python" -m pytest Tests/StudioBrowserTests --rootdir Tests/StudioBrowserTests \
  -c Tests/StudioBrowserTests/pytest.ini --quiet --junit-xml "$report" "$@" || status=$?
if [ -f "$report" ]; then
  "$studio/venv/bin/python" - "$report" "$((SECONDS - begin))" <<'END'
import sys
import xml.etree.ElementTree as tree

suite = tree.parse(sys.argv[1]).getroot().find("testsuite")
total, failures, errors, skipped = (int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped"))
cases = {f"{case.get('classname')}.{case.get('name')}" for case in suite.iter("testcase")}
failed = {f"{case.get('classname')}.{case.get('name')}" for case in suite.iter("testcase")
          if case.find("failure") is not None or case.find("error") is not None}
passed = len(cases) - len(failed) - skipped
print(f"Studio: {passed} passed, {len(failed)} failed, {skipped} skipped, in {sys.argv[2]} s.")
END
fi
exit "$status"
