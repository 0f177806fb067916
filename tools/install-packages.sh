#!/bin/sh
# Installs the Debian packages that are missing: `install-packages.sh build` for building, `run` for demo and tests too.
# Anywhere else it says what to install and goes on: the build tells what is really missing.
set -eu

build="gcc libc6-dev pkg-config libclang1 libclang-common-dev libpipewire-0.3-dev libwayland-dev libegl-dev libgbm-dev"
run="xvfb openbox chromium fonts-dejavu-core libfaketime"

case "${1:-run}" in
    build) wanted="$build" ;;
    run) wanted="$build $run" ;;
    *) echo "usage: $0 build|run" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "not a Debian system; Torres needs the equivalents of: $wanted" >&2
    exit 0
fi

as_root=""
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 && as_root="sudo"
fi

# Debian names libclang by its version; take the one of this release.
if ! dpkg-query -W -f '${Status}' libclang1 2>/dev/null | grep -q 'ok installed'; then
    [ -n "$(apt-cache search --names-only '^libclang1-[0-9]+$' 2>/dev/null)" ] || $as_root apt-get update -qq || true
    version=$(apt-cache search --names-only '^libclang1-[0-9]+$' 2>/dev/null | sed 's/libclang1-\([0-9]*\) .*/\1/' | sort -n | head -n 1)
    installed=$(dpkg-query -W -f '${Package} ${Status}\n' 'libclang1-*' 2>/dev/null | sed -n 's/^libclang1-\([0-9]*\) .*ok installed$/\1/p' | head -n 1)
    version=${installed:-${version:-14}}
    wanted=$(echo "$wanted" | sed "s/libclang1 /libclang1-$version /; s/libclang-common-dev/libclang-common-$version-dev/")
fi

missing=""
for package in $wanted; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -ne 0 ] && [ -z "$as_root" ]; then
    echo "as root, run: apt-get install$missing" >&2
    exit 1
fi
echo "installing:$missing"
$as_root apt-get update -qq
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
