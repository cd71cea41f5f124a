#!/usr/bin/env bash
# Sets up .venv with the project and its development tools, and installs the system libraries
# that MuJoCo's headless rendering needs where they are missing. Arguments say what pip installs
# instead, e.g. --editable '.[cluster]'.
set -euo pipefail
cd "$(dirname "$0")"

packages=()
has_library() { ldconfig -p | grep -q "$1"; }
has_library libEGL.so.1 || packages+=(libegl1)
has_library libOpenGL.so.0 || packages+=(libopengl0)
has_library libGL.so.1 || packages+=(libgl1)
has_library libEGL_mesa.so.0 || has_library libEGL_nvidia.so.0 || packages+=(libegl-mesa0 libgl1-mesa-dri)
python=${PYTHON:-python3}
command -v "$python" >/dev/null || packages+=(python3 python3-venv)
if command -v "$python" >/dev/null && ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    packages+=(python3-venv)
fi

if ((${#packages[@]})); then
    echo "system packages needed: ${packages[*]}"
    if ! command -v apt-get >/dev/null; then
        echo "no apt-get here: install their equivalents, then run this again" >&2
        exit 2
    fi
    as_root=()
    if ((EUID != 0)); then as_root=(sudo); fi
    "${as_root[@]}" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends \
        "${packages[@]}"
fi

"$python" - <<'PYTHON'
import sys
if sys.version_info < (3, 11):
    sys.exit(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}: PYTHON=/path/to/python3.11 make setup")
PYTHON

# A copy that does not keep links (a ZIP, a share) leaves files with their targets' names.
for name in analysis sweeps; do
    [ -L "mirror_ray/$name" ] || { rm -f "mirror_ray/$name" && ln -s "../$name" "mirror_ray/$name"; }
done

[ -x .venv/bin/python ] || "$python" -m venv .venv
pip=(.venv/bin/python -m pip --quiet --disable-pip-version-check)
"${pip[@]}" install --upgrade "pip>=25.1"
# Compiled now, once: without .pyc files Ray's workers each start several times slower.
if (($# == 0)); then set -- --editable . --group dev; fi
"${pip[@]}" install --compile "$@"
