#!/usr/bin/env bash
# Process 1 of one host of the lab, in namespaces of its own: gives it a root (a copy on write of
# this machine's), a home, a name service without DNS, private shared memory, and an sshd.
#   boot_host.sh NAME STATE_FOLDER HOSTS_FILE
set -euo pipefail
name=$1 state=$2 hosts=$3
hostname "$name"
base=$state/$name
mount -t tmpfs -o size=2g "lab-$name" "$base"
mkdir "$base"/{upper,work,root}
mount -t overlay "lab-$name" -o "lowerdir=/,upperdir=$base/upper,workdir=$base/work" "$base/root"
public_key=$(cat "$state/id.pub") host_key=$(cat "$state/host_key") known=$(cat "$hosts")
cd "$base/root"
mount -t proc proc proc
mount --rbind /sys sys
mount --rbind /dev dev
mount -t tmpfs -o size=1g shm dev/shm   # Ray's object store
# This machine's own files there change while a host is up: it gets none of them.
mount -t tmpfs -o mode=1777 tmp tmp
mount -t tmpfs run run
mount -t tmpfs srv srv
mkdir -p run/sshd srv/home/.ssh
printf '%s\n' "$public_key" > srv/home/.ssh/authorized_keys
printf '[ -f ~/.bashrc ] && . ~/.bashrc\n' > srv/home/.profile
: > srv/home/.bashrc
chmod -R go-rwx srv/home
sed -i 's|^root:.*|root:x:0:0:root:/srv/home:/bin/bash|' etc/passwd
printf '%s\n' "$host_key" > run/host_key
chmod 600 run/host_key
# Every look-up that waits for a name server would cost Ray ten seconds.
printf '%s\n' "$known" > etc/hosts
rm -f etc/resolv.conf
: > etc/resolv.conf
sed -i 's/^hosts:.*/hosts: files/' etc/nsswitch.conf
mkdir -p .old
pivot_root . .old
cd /
umount -l /.old
exec </dev/null
# Not exec: process 1 reaps what the host's processes leave behind.
env -i HOME=/srv/home PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    /usr/sbin/sshd -D -e -f /dev/null -o Port=22 -o HostKey=/run/host_key -o UsePAM=no \
    -o PidFile=none -o StrictModes=no -o PasswordAuthentication=no -o MaxStartups=100 \
    -o MaxSessions=100 -o Subsystem="sftp internal-sftp" &
wait $!
