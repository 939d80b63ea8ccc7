#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs a command in a clean Debian of another suite, to try its compilers, headers, drivers and loader on this checkout.
#
# usage: scripts/debian-chroot.sh SUITE [COMMAND [ARGUMENT...]]
#   SUITE    bookworm (12), trixie (13), sid or any other that debootstrap knows
#   COMMAND  what runs there as root, in /src; a shell without it. For instance:
#            scripts/debian-chroot.sh trixie scripts/test.sh
#            scripts/debian-chroot.sh sid bash -c '. scripts/setup.sh && pgs_install_missing && pgs_build release'
#
# /src is this checkout, but for /src/build, which is build/debian-SUITE: each suite has builds of its own. What else the
# command writes there is written here.
#
# The first call makes the chroot with debootstrap, from the mirror that this machine uses (debootstrap's own where it is
# no Debian); that takes a minute and 300 MB. Later calls use it as it was left. It is nothing but a folder, to be
# removed with rm -rf when it is not wanted any more.
#   PGS_CHROOT_DIR     where chroots are kept: /var/tmp. Not a folder mounted with noexec or nodev.
#   PGS_DEBIAN_MIRROR  the mirror of a new chroot
#
# Needs root, for mounts and chroot. Exit status: that of the command; 77 where there can be no chroot (not root, mounts
# are forbidden, no network, no debootstrap), with one line on stderr that says why. No mount is left behind: they are
# made in a name space that ends with the command.
set -euo pipefail

suite=${1:?"usage: debian-chroot.sh SUITE [COMMAND...]"}
shift
[ $# -gt 0 ] || set -- bash
here=$(cd "$(dirname "$0")/.." && pwd)
root=${PGS_CHROOT_DIR:-/var/tmp}/pgs-debian-$suite

impossible()
{
    printf 'debian-chroot.sh: no chroot of %s: %s\n' "$suite" "$*" >&2
    exit 77
}

# The first http address of the sources of apt.
mirror()
{
    local found=""
    # shellcheck disable=SC1091
    if [ -n "${PGS_DEBIAN_MIRROR:-}" ]; then
        found=$PGS_DEBIAN_MIRROR
    elif [ "$(. /etc/os-release && echo "${ID:-}")" = debian ]; then
        found=$(cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list /etc/apt/sources.list 2>/dev/null |
            grep -vE '^ *#' | grep -oE 'https?://[^] ]+' | grep -v security | head -n 1) || true
    fi
    printf '%s' "$found"
}

# Made beside its place and then moved there: what is half done is never used.
make_root()
{
    local new=$root.new log=$root.log mirror
    mirror=$(mirror)
    command -v debootstrap >/dev/null ||
        { apt-get update -qq && apt-get install -y -qq --no-install-recommends debootstrap; } >/dev/null 2>&1 ||
        impossible "debootstrap is not installed"
    rm -rf "$new"
    mkdir -p "${root%/*}"
    echo "debian-chroot.sh: making $root" >&2
    debootstrap --variant=minbase --include=ca-certificates,git "$suite" "$new" ${mirror:+"$mirror"} >"$log" 2>&1 </dev/null ||
        impossible "debootstrap failed: $(grep -E '^(E|W):' "$log" | tail -n 1), see $log"
    # How this machine reaches its mirror, and how it takes it.
    { grep -lE "^ *Acquire::([Hh]ttps?|Check|Retries|Allow)" /etc/apt/apt.conf.d/* 2>/dev/null || true; } |
        xargs -r cp -t "$new/etc/apt/apt.conf.d/"
    printf '#!/bin/sh\nexit 101\n' >"$new/usr/sbin/policy-rc.d" # packages start no services
    chmod +x "$new/usr/sbin/policy-rc.d"
    mkdir "$new/src"
    mv "$new" "$root"
}

[ "$(id -u)" = 0 ] || impossible "only root can make one"
command -v unshare >/dev/null || impossible "there is no unshare"
unshare --mount mount --bind / / 2>/dev/null || impossible "mounts are not permitted here"
[ -d "$root" ] || make_root
cp /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
mkdir -p "$here/build/debian-$suite"
# What git knows of a linked worktree lies elsewhere; its files name the place by its whole path.
repository=$(git -C "$here" rev-parse --path-format=absolute --git-common-dir 2>/dev/null) || repository=""
[ "$repository" != "$here/.git" ] || repository=""
[ -z "$repository" ] || mkdir -p "$root$repository"

# shellcheck disable=SC2016
exec unshare --mount --propagation slave bash -c '
    set -e
    root=$1 here=$2 build=$3 repository=$4
    shift 4
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --bind "$here" "$root/src"
    mount --bind "$build" "$root/src/build"
    [ -z "$repository" ] || mount --bind "$repository" "$root$repository"
    exec chroot "$root" /usr/bin/env -i HOME=/root TERM="${TERM:-dumb}" LC_ALL=C.UTF-8 XDG_RUNTIME_DIR=/tmp \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        bash -c "cd /src && exec \"\$@\"" -- "$@"' -- "$root" "$here" "$here/build/debian-$suite" "$repository" "$@"
