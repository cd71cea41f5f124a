#!/usr/bin/env bash
# Installs the browser of tests/browser, where there is none and apt can: on Debian some 300 MB,
# which the project itself does not need. Without a browser those tests are skipped and say so.
set -euo pipefail

for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" >/dev/null; then exit 0; fi
done
if ! command -v apt-get >/dev/null; then
    echo "no apt-get here: without Chromium or Chrome the tests in tests/browser are skipped" >&2
    exit 0
fi
as_root=()
if ((EUID != 0)); then as_root=(sudo); fi
"${as_root[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends \
    chromium fonts-dejavu-core
