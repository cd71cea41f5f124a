#!/usr/bin/env bash
# Sets up .venv with the project, and installs missing system libraries for MuJoCo's headless
# rendering. Arguments name extras of pyproject.toml to add, e.g. `report`, or
# `dev` for everything that tests and linters need: ./setup.sh cluster aws
# Versions are those of mirror_ray/locks/, checked by hash; MIRROR_RAY_NEWEST=1 takes the newest.
# uv installs them, or pip if uv is unavailable or fails.
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

locks=(-r mirror_ray/locks/build.lock -r mirror_ray/locks/runtime.lock)
extras=()
groups=()
for name in "$@"; do
    if [ ! -f "mirror_ray/locks/$name.lock" ]; then
        echo "no extra $name; there are: $(cd mirror_ray/locks && echo *.lock | sed 's/\.lock//g')" >&2
        exit 2
    fi
    locks+=(-r "mirror_ray/locks/$name.lock")
    if [ "$name" = dev ]; then groups=(--group dev); else extras+=("$name"); fi
done

[ -x .venv/bin/python ] || "$python" -m venv .venv
pip=(.venv/bin/python -m pip --quiet --disable-pip-version-check install)
uv=$(command -v uv || true)
if [ -z "$uv" ]; then
    [ -x .venv/bin/uv ] || "${pip[@]}" --require-hashes -r mirror_ray/locks/installer.lock || true
    uv=$PWD/.venv/bin/uv
fi

# The same arguments for uv and for pip.
install() {
    if [ -x "$uv" ] && "$uv" pip install --quiet --python .venv/bin/python "$@"; then return; fi
    echo "uv cannot install here: pip does, which takes longer" >&2
    "${pip[@]}" "$@"
}
if [ -n "${MIRROR_RAY_NEWEST:-}" ]; then
    "${pip[@]}" --upgrade "pip>=25.1"   # knows groups
    joined=$(IFS=,; echo "${extras[*]-}")
    install --upgrade --editable ".${joined:+[$joined]}" "${groups[@]}"
else
    # All that is needed is in the locks, checked by hash.
    install --no-deps --require-hashes "${locks[@]}"
    install --no-deps --no-build-isolation --editable .
fi
# Compiled now, once: without .pyc files Ray's workers each start several times slower.
.venv/bin/python -P -c 'import mirror_ray.engine.driver.run, mirror_ray.engine.simulator.actor'
# What only installing needs, 48 MB; developers lock versions with uv.
if [[ " $* " != *" dev "* ]]; then
    for name in uv setuptools; do
        compgen -G ".venv/lib*/python3*/site-packages/$name" >/dev/null || continue
        .venv/bin/python -m pip --quiet --disable-pip-version-check uninstall --yes "$name"
    done
fi
