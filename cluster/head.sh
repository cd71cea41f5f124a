# The environment of the head, after host.sh: runs that are started there play on the whole cluster.
export PATH="$HOME/mirror-ray/cluster/bin:$PATH"
export RAY_ADDRESS=auto
# Models' keys, if they are there: ray rsync-up CLUSTER keys.env '~/keys.env'
if [ -f ~/keys.env ]; then
    set -a
    . ~/keys.env
    set +a
fi
