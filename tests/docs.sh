#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The documentation is true: every command block runs, every link leads somewhere, generated pages are fresh.
# Blocks of commands are marked sh, and run as they stand, page by page, in a folder with a copy of what they name.
# A line before a block can change that; nothing else does:
#   <!-- docs.sh: run with ARGS -->      ARGS, such as -s seeds=1, are put behind hetune run and hetune sweep plan|run
#   <!-- docs.sh: not run, REASON -->    the reason is printed
# and in docs/reproduction.md
#   <!-- docs.sh: tables below are not run, REASON -->    these are not made again,
#   <!-- docs.sh: tables below are run -->                these are
set -eu
cd "$(dirname "$0")/.."
ROOT=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pages="README.md $(ls docs/*.md ./*/README.md policies/[a-z]*.md policies/tuners/README.md)"
fail() { echo "$*"; exit 1; }
HETUNE=$(realpath "$BUILD/hetune")
mkdir "$work/bin" "$work/blocks" "$work/tree"
cp -R analysis configs traces examples sim policies "$work/tree"
export ROOT HETUNE PATH=$work/bin:$PATH GITHUB_STEP_SUMMARY=$work/summary.md

cat > "$work/bin/hetune" <<'END'
#!/usr/bin/env bash
case $1-${2-} in run-* | sweep-plan | sweep-run) set -- "$@" $MORE ;; esac
exec "$HETUNE" "$@"
END
# What make does in the tests: a target is there, and is run here or says where else it is.
cat > "$work/bin/make" <<'END'
#!/usr/bin/env bash
PATH=${PATH#*:} make -C "$ROOT" -n "$@" > /dev/null || { echo "make $*: there is no such target"; exit 1; }
case $1 in
demo) analysis/demo.sh hetune made ;;
test) echo 'not run: make test is what runs this' >&3 ;;
install | uninstall) echo "not run: make $1 is in tests/install" >&3 ;;
bench) echo 'not run: make bench measures for minutes' >&3 ;;
validate | calibrations) echo "not run: make $1 is in tests/calibration" >&3 ;;
microbench) echo 'not run: make microbench is in tests/microbench' >&3 ;;
*) echo "make $*: not known to tests/docs.sh"; exit 1 ;;
esac
END
chmod +x "$work/bin/hetune" "$work/bin/make"

# Each fenced block of a page: blocks/N.KIND, and what a line before it wants in blocks/N.how.
cut_blocks() {
    rm -f "$work"/blocks/*
    awk -v dir="$work/blocks" '
        /^```/ && !on { on = 1; n++; kind = substr($0, 4); file = sprintf("%s/%02d.%s", dir, n, kind == "" ? "text" : kind)
                        printf "" > file; if (how != "") print how > sprintf("%s/%02d.how", dir, n); next }
        /^```/ { on = 0; close(file); next }
        on { print > file; next }
        { how = "" }
        /^<!-- docs.sh: .* -->$/ { how = substr($0, 15, length($0) - 18) }' "$1"
}

run_block() { # PAGE FILE
    local how=${2%.sh}.how MORE= out
    if [ -e "$how" ]; then
        how=$(cat "$how")
        case $how in
        'not run, '?*) echo "not run: $1: ${how#not run, }" && return ;;
        'run with '?*) MORE=${how#run with } ;;
        *) fail "$1: '$how' says neither 'run with ARGS' nor 'not run, REASON'" ;;
        esac
    fi
    # What it writes anew is not there yet.
    for out in $(grep -oE -- ' -o [^ ]+' "$2" | cut -c 5-); do
        rm -rf "${work:?}/tree/$out"
    done
    (cd "$work/tree" && MORE=$MORE bash -e "$2" 3>&1 > "$work/printed" 2>&1 < /dev/null) || { cat "$2" "$work/printed"; fail "$1: a command fails"; }
    lines=$((lines + $(grep -cE '^[a-z]' "$2")))
}

# What a workflow runs: of its steps those that do not install.
run_steps() { # PAGE FILE
    local steps=${2%.yaml}.steps.sh
    sed -nE 's/^[ -]*run: ((hetune|cat) .*)/\1/p' "$2" > "$steps"
    [ ! -s "$steps" ] || run_block "$1" "$steps"
}

lines=0 policies=0
for page in $pages; do
    cut_blocks "$page"
    for block in "$work"/blocks/*; do
        case $block in
        *.sh) run_block "$page" "$block" ;;
        *.yaml) run_steps "$page" "$block" ;;&
        *.text | *.yaml | *.csv | *.json | *.tex) ! grep -nE '^ *(\$ )?(hetune|make|gcc|sudo|apt-get|git|cd) ' "$block" || fail "$page: commands in a block that is not marked sh" ;;
        *.c)
            gcc -shared -fPIC -I. -Wall -Wextra -Werror -x c -o "$work/tree/mine.so" "$block"
            (cd "$work/tree" && hetune list policies --policy-lib ./mine.so > /dev/null) || fail "$page: the policy is none"
            policies=$((policies + 1))
            ;;
        *.how | *'/*') ;;
        *) fail "$page: a block is marked ${block##*.}; wanted sh, c, yaml, csv, json, tex or nothing" ;;
        esac
    done
done

# Commands in the text: they and their options are there.
spans=0
for page in $pages; do
    while read -r _ command rest; do
        hetune self complete | cut -f 1 | grep -qxF -- "$command" || fail "$page: there is no hetune $command"
        for option in $(grep -oE -- '(^| )--[a-z-]+' <<< "$rest"); do
            hetune self complete -- "$command" "$option" | cut -f 1 | grep -qxF -- "$option" || fail "$page: hetune $command has no $option"
        done
        spans=$((spans + 1))
    done < <(grep -oE '`hetune [^`]+`' "$page" | tr -d '`')
done

links=0
for page in $pages; do
    for link in $(grep -oE '\]\([^)#]+' "$page" | sed 's/^](//' | grep -vE '^https?:'); do
        [ -e "$(dirname "$page")/$link" ] || fail "$page: $link leads nowhere"
        links=$((links + 1))
    done
done

# Every policy has a page, which names each of its parameters.
for name in $(sed -nE 's/^POLICY\((.*)\)/\1/p' policies/policies.def); do
    [ -f "policies/$name.md" ] || fail "policies/$name.md is missing"
    grep -qF "($name.md)" policies/README.md || fail "policies/README.md has no link to $name.md"
    for key in $(hetune list policies | awk -v name="$name" '/^[a-z]/ { on = $1 == name; next } on { print $1 }'); do
        grep -qE "\`$key(\`|:)" "policies/$name.md" || fail "policies/$name.md does not tell of \`$key\`"
    done
done

hetune list keys > "$work/keys.txt"
awk '/^```$/ { on = !on; next } on' docs/keys.md | cmp - "$work/keys.txt" || fail "docs/keys.md is stale: make docs"
analysis/reproduction.sh "$HETUNE" > "$work/tables.txt"
sed '/^<!-- docs.sh: tables below are not run, /,/^<!-- docs.sh: tables below are run -->/d' docs/reproduction.md | grep '^|' | cmp - <(grep '^|' "$work/tables.txt") || fail "docs/reproduction.md is stale: its tables are from analysis/reproduction.sh"
echo "$lines commands of the docs run, $policies policy compiles, $spans commands in the text exist, $links links lead somewhere"
