#!/bin/bash
# SPDX-License-Identifier: MIT
# A set-uid program (for users who are not root: a set-gid one, of another of their groups) takes nothing from its user:
# not the environment, no settings file, no folder for the cache or for dumps. The same program without the bit takes all.
# usage: privileged.sh PROGRAM
# Exit status 77 where there can be no such program.
set -euo pipefail
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
cd "$work"
unset "${!VK_POLY_GS_@}" VK_LAYER_SETTINGS_PATH XDG_CACHE_HOME XDG_DATA_HOME

fail()
{
    echo "$*" >&2
    exit 1
}

# Who may do all this without more rights, and the copy that has more.
cp "$program" plain
cp "$program" privileged
chmod 755 plain
as=()
if [ "$(id -u)" = 0 ]; then
    as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
    chown 65533:65533 privileged
    chmod 4755 privileged
    user=65534
else
    user=$(id -u)
    other=$(id -G | tr ' ' '\n' | grep -vx "$(id -g)" | head -1) || { echo "SKIPPED: neither root nor in two groups"; exit 77; }
    chgrp "$other" privileged
    chmod 2755 privileged
fi
# Both could read what is there, and write.
mkdir -m 777 home cache dump data
mkdir -p data/vulkan/settings.d home/.local/share/vulkan/settings.d
chmod -R 777 home data
export HOME=$work/home

# check NAME=VALUE...: with this environment, plain takes what is planted, and privileged does not.
# wanted LINE...: what plain says.
check()
{
    local wanted=$1; shift
    env "$@" "${as[@]}" ./plain >plain.out 2>&1 || { cat plain.out; fail "plain failed: $*"; }
    grep -qx "secure no" plain.out || fail "more rights than it should have"
    grep -qx "$wanted" plain.out || { cat plain.out; fail "nothing to refuse: $*: $wanted"; }
    env "$@" "${as[@]}" ./privileged >privileged.out 2>&1 || { cat privileged.out; fail "privileged failed: $*"; }
    grep -qx "secure yes" privileged.out || { echo "SKIPPED: programs get no more rights here"; exit 77; }
    printf '%s\n' "secure yes" "plan auto" "log error" "cache -" "dump -" | diff - privileged.out || fail "taken from the user: $*"
}

empty()
{
    [ -z "$(ls -A "$1")" ] || { ls -lA "$1"; fail "written to $1"; }
}

check "plan other" VK_POLY_GS_PLAN=compute
check "log info" VK_POLY_GS_LOG=info
check "cache $HOME/.cache/poly_gs"
[ -d home/.cache/poly_gs ] || fail "plain made no folder"
rm -rf home/.cache
env "${as[@]}" ./privileged >/dev/null
[ ! -e home/.cache ] || fail "the user's cache was used"
check "cache $work/cache/poly_gs" XDG_CACHE_HOME="$work/cache"
check "cache $work/cache/own" VK_POLY_GS_CACHE="$work/cache/own"
rm -rf cache/*
env VK_POLY_GS_CACHE="$work/cache/own" XDG_CACHE_HOME="$work/cache" "${as[@]}" ./privileged >/dev/null
empty cache

# A folder for dumps that belongs to whoever dumps; root's would do, too.
chown "$user" dump 2>/dev/null || true
check "dump $work/dump" VK_POLY_GS_DUMP="$work/dump"
[ -f dump/0000-probe.spv ] || fail "plain dumped nothing"
rm -rf dump/*
chmod 777 dump
env VK_POLY_GS_DUMP="$work/dump" "${as[@]}" ./privileged >/dev/null
empty dump

# Settings files, everywhere one is looked for.
plant()
{
    printf 'poly_gs.plan = compute\npoly_gs.log = info\npoly_gs.cache = %s/cache/own\npoly_gs.dump = %s/dump\n' "$work" "$work" >"$1"
    chown "$user" "$1" 2>/dev/null || true
}
for file in "$work/any.txt" "$work/data/vulkan/settings.d/vk_layer_settings.txt" \
    "$work/home/.local/share/vulkan/settings.d/vk_layer_settings.txt" "$work/vk_layer_settings.txt"; do
    plant "$file"
    case $file in
    */any.txt) where=VK_LAYER_SETTINGS_PATH=$file ;;
    "$work"/data/*) where=XDG_DATA_HOME=$work/data ;;
    *) where=NOTHING= ;;
    esac
    check "plan other" "$where"
    rm -rf "$file" "${work:?}"/cache/* "${work:?}"/dump/*
done
echo "nothing taken from the user"
