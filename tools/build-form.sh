#!/bin/sh
# Prints what cargo is to be told beside its command: nothing, or `--no-default-features` where xcap is not wanted or what it is built
# with is not here, and says so. Without xcap Torres knows X11 alone, which is all that it plays on under Linux.
set -eu
. "$(dirname "$0")/packages.sh"

without_xcap() {
    echo "building without xcap, for X11 alone: $1" >&2
    echo "--no-default-features"
    exit 0
}

[ "$(uname -s)" = Linux ] || exit 0
xcap_wanted || without_xcap "as XCAP=no says"
if has_dpkg; then
    lacking=$(missing $xcap_packages)
    [ -z "$lacking" ] || without_xcap "not installed:$lacking"
else
    for library in libpipewire-0.3 libspa-0.2 wayland-client egl gbm; do
        pkg-config --exists "$library" 2>/dev/null || without_xcap "pkg-config does not know $library"
    done
fi
