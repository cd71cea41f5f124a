# The environment of every host of a cluster; ~/.bashrc reads it, and so does all that Ray starts.
export PATH="$HOME/mirror-ray/.venv/bin:$PATH"
# Every process of the cluster shows the token in ~/.ray/auth_token.
export RAY_AUTH_MODE=token
export RAY_USAGE_STATS_ENABLED=0
# Simulators share a GPU by fractions; without one they draw in software.
export MUJOCO_GL=egl
ulimit -n 65536 2>/dev/null || true
