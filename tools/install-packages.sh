#!/bin/sh
# Installs the packages that are missing on Debian and Ubuntu: `install-packages.sh build` for building, `run` for the demo too, `test` for the tests
# and `programs` for the games with other programs.
# Without those of xcap it goes on: then `build-form.sh` has Torres built without it. On other systems it says what to install.
set -eu
. "$(dirname "$0")/packages.sh"

case "${1:-run}" in
    build) needed="$build_packages" ;;
    run) needed="$build_packages $run_packages" ;;
    test) needed="$build_packages $run_packages $test_packages" ;;
    programs) needed="$build_packages $run_packages $test_packages $programs_packages" ;;
    *) echo "usage: $0 build|run|test|programs" >&2; exit 2 ;;
esac

if ! has_dpkg; then
    echo "not a Debian system; Torres needs the equivalents of: $needed chromium, and with xcap of: $xcap_packages" >&2
    exit 0
fi

needed=$(missing $needed)
[ "${1:-run}" = build ] || needed="$needed$(browser)"
extra=""
! xcap_wanted || extra=$(missing $xcap_packages)
[ -n "$needed$extra" ] || exit 0

as_root=""
if [ "$(id -u)" -ne 0 ]; then
    as_root="sudo"
    if ! command -v sudo >/dev/null 2>&1; then
        echo "as root, run: apt-get install$needed$extra" >&2
        [ -z "$needed" ] || exit 1
        exit 0
    fi
fi

install() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

echo "installing:$needed$extra"
# Old lists may be good enough; what cannot be had is named by the installing.
$as_root apt-get update -qq || echo "the package lists cannot be brought up to date; going on with those that are here" >&2
if [ -n "$extra" ]; then
    install $needed $extra && exit 0
    echo "these cannot be installed:$needed$extra" >&2
    echo "going on without those of xcap (\`make XCAP=no\` does not try them)" >&2
fi
[ -z "$needed" ] || install $needed
