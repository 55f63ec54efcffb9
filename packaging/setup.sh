# What `packaging/run` and `packaging/test` share; sourced, never run. Needs $root. Everything it prints goes to standard error.
# Sets things up once: stamps in .venv say what was done and for which lock files, so that a second start does nothing.

say() { printf '%s\n' "$*" >&2; }
die() { say "$1"; exit "${2:-1}"; }

venv="$root/.venv"
python="$venv/bin/python"

# --- Debian packages ---------------------------------------------------------------------------------------------------

BASE_PACKAGES="python3-venv ca-certificates git"
WINDOW_PACKAGES="libgl1 libegl1 libxkbcommon0 libglib2.0-0 libfontconfig1 libdbus-1-3 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxcb-xkb1 libxkbcommon-x11-0"
TEST_PACKAGES="xvfb xauth fonts-noto-cjk strace ripgrep xdotool"

missing_packages() { # names of those of "$@" that are not installed
    for package in "$@"; do
        case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
            *"ok installed") ;;
            *) [ "$package" = libglib2.0-0 ] && dpkg-query -W -f '${Status}' libglib2.0-0t64 2>/dev/null | grep -q 'ok installed' && continue
               printf '%s ' "$package" ;;
        esac
    done
}

need_packages() { # installs what is missing, or says the exact line; $1 = what for, the rest = packages
    what=$1; shift
    command -v dpkg-query >/dev/null 2>&1 || return 0 # not Debian: the README names the libraries
    lacking=$(missing_packages "$@")
    [ -n "$lacking" ] || return 0
    line="apt-get update && apt-get install -y --no-install-recommends $lacking"
    say "Keepsake: $what needs these Debian packages: $lacking"
    if [ "$(id -u)" = 0 ]; then
        run="sh -c"
    elif command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
        run="sudo sh -c"
    else
        die "Install them as an administrator, then run this again:
    sudo sh -c '$line'" 1
    fi
    begin=$(date +%s)
    DEBIAN_FRONTEND=noninteractive $run "export DEBIAN_FRONTEND=noninteractive; $line" >&2 \
        || die "The Debian packages could not be installed. Mend what is said above, or paste: $line" 1
    say "Keepsake: Debian packages installed in $(($(date +%s) - begin)) s."
}

# --- the virtual environment ---------------------------------------------------------------------------------------------

find_python() { # a Python 3.11 or later, as an absolute path
    for name in ${KEEPSAKE_PYTHON:-} python3 python3.13 python3.12 python3.11 python3.14; do
        found=$(command -v "$name" 2>/dev/null) || continue
        if "$found" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s' "$found"
            return 0
        fi
    done
    return 1
}

stamp_of() { # what the environment depends on: lock file(s), project file, place, Python
    { cat "$@" "$root/pyproject.toml"; printf '%s\n' "$root"; "$python" -c 'import sys; print(sys.version)'; } 2>/dev/null | cksum
}

watched() { # runs "$2…" quietly, shows the environment's size and the seconds, and the output only if it fails; $1 = what it does
    label=$1; shift
    output="$venv/.keepsake-output"
    begin=$(date +%s)
    "$@" > "$output" 2>&1 &
    job=$!
    trap 'kill "$job" 2>/dev/null; exit 130' INT TERM HUP
    tick=0
    while kill -0 "$job" 2>/dev/null; do
        sleep 1
        tick=$((tick + 1))
        if [ -t 2 ]; then
            printf '\r%s: %s MB, %s s ' "$label" "$(du -sm "$venv" 2>/dev/null | cut -f1)" "$(($(date +%s) - begin))" >&2
        elif [ $((tick % 10)) = 0 ]; then
            say "$label: $(du -sm "$venv" 2>/dev/null | cut -f1) MB, $(($(date +%s) - begin)) s"
        fi
    done
    trap - INT TERM HUP
    [ -t 2 ] && printf '\r' >&2
    if wait "$job"; then
        say "$label: done, $(du -sm "$venv" 2>/dev/null | cut -f1) MB, $(($(date +%s) - begin)) s."
        rm -f "$output"
        return 0
    fi
    cat "$output" >&2
    return 1
}

make_venv() {
    if [ -x "$python" ] && "$python" -c 'import pip' 2>/dev/null; then
        return 0
    fi
    base=$(find_python) || die "Keepsake needs Python 3.11 or later. Install it, or name it: KEEPSAKE_PYTHON=/path/to/python3" 1
    "$base" -m venv --clear "$venv" >&2 || die "The virtual environment $venv could not be made. On Debian: apt-get install python3-venv" 1
}

install_locked() { # $1 = stamp name, $2 = label, the rest = lock files
    stamp="$venv/.keepsake-$1"; label=$2; shift 2
    if [ -x "$python" ] && [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(stamp_of "$@")" ]; then
        return 0
    fi
    make_venv
    requirements=""
    for file in "$@"; do requirements="$requirements -r ${file##*/}"; done
    # The file names hold no blanks; the folder may, so that pip is started inside it.
    (cd "$root/packaging" && watched "$label" "$python" -I -m pip install --disable-pip-version-check --no-input --require-hashes $requirements) \
        || die "The Python packages could not be installed (see above). A network or a package mirror is needed once." 1
    (cd "$root" && watched "Keepsake itself" "$python" -I -m pip install --disable-pip-version-check --no-input --no-deps --no-build-isolation -e .) \
        || die "Keepsake could not be installed into $venv (see above)." 1
    stamp_of "$@" > "$stamp"
}

with_lock() { # two starts at once must not set up the same environment twice
    if command -v flock >/dev/null 2>&1; then
        exec 9> "$root/.setup.lock"
        flock 9
    fi
}

end_lock() { command -v flock >/dev/null 2>&1 && exec 9>&-; return 0; }
