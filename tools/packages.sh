# What Torres needs of Debian and Ubuntu; for the scripts beside this one, which source it.

# To build anything at all: a linker. Rust is asked for by check-rust.sh.
build_packages="gcc libc6-dev"
# To build xcap, which cannot be built without its PipeWire part. `libclang-dev` is whichever version the release has.
xcap_packages="pkg-config libclang-dev libpipewire-0.3-dev libwayland-dev libegl-dev libgbm-dev"
# To run the demo and the tests. A Chromium is needed too; see `browser`.
run_packages="xvfb openbox fonts-dejavu-core libfaketime"
# To test against: two programs that nobody here built, played with by tests/programs. Their tests are left out where these are missing.
test_packages="xboard gnome-chess"
# What `make programs` plays with beside them, and against.
programs_packages="eboard pychess knights fairymax dbus dbus-daemon"

has_dpkg() {
    command -v dpkg-query >/dev/null 2>&1
}

# Those of the packages that are not installed.
missing() {
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || printf ' %s' "$package"
    done
}

# The package of a Chromium, unless one is there by whatever way: Ubuntu has it under another name (a snap), others take Chrome.
browser() {
    for program in chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$program" >/dev/null 2>&1 && return
    done
    printf ' chromium'
}

# Whether xcap is to be built in: `make XCAP=no` says no.
xcap_wanted() {
    [ "${XCAP:-yes}" != no ]
}
