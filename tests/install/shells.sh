#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Manual pages and completions as installed below PREFIX: they have every command and every option that help has.
#   tests/install/shells.sh PREFIX
set -eu
prefix=$1
PATH=$prefix/bin:$PATH
man=$prefix/share/man/man1
fish=$prefix/share/fish/vendor_completions.d/hetune.fish
zsh=$prefix/share/zsh/site-functions/_hetune
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir results
touch run.yaml jobs.csv mine.so
fail() { echo "$*"; exit 1; }

# ---- what bash, fish and zsh offer for a line; its last word is being typed, and may be empty ----

# shellcheck source=/dev/null
source "$prefix/share/bash-completion/completions/hetune"
complete -p hetune | grep -q -- '-F _hetune' || fail "bash: hetune has no completion"
in_bash() {
    # As bash cuts words: at each =.
    local word
    COMP_WORDS=()
    for word in "$@"; do
        while [[ $word == ?*=* ]]; do
            COMP_WORDS+=("${word%%=*}" =)
            word=${word#*=}
            [ -n "$word" ] || continue 2
        done
        COMP_WORDS+=("$word")
    done
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
    _hetune hetune
    printf '%s\n' "${COMPREPLY[@]}"
}
in_fish() { fish --no-config -c "source $fish; complete -C '$*'" | cut -f1 | sed 's|/$||'; }
# The functions of the completion system print what they are told.
in_zsh() {
    zsh -f -c '
        zsh=$1; shift
        compset() { [[ $words[-1] == *=* ]] && words[-1]=${words[-1]#*=} }
        _describe() { print -l -- ${(P)2%%:*} }
        _files() { [[ $1 == -/ ]] && print -l -- $words[-1]*(N/) || print -l -- $words[-1]*(N/) $words[-1]${~2}(N.) }
        words=("$@") CURRENT=$#
        source $zsh' zsh "$zsh" "$@"
}

# offers CANDIDATES WORD...: bash replaces what is behind the last =, the others the whole word.
offers() {
    local wanted=$1 last=${*: -1} got
    shift
    got=$(in_bash "$@" | sort | xargs)
    local short=$wanted
    [[ $last != *=* ]] || short=$(for w in $wanted; do echo "${w#"${last%=*}="}"; done | xargs)
    [ "$got" = "$short" ] || fail "bash: '$*' offers '$got', wanted '$short'"
    got=$(in_fish "$@" | sort | xargs)
    [ "$got" = "$wanted" ] || fail "fish: '$*' offers '$got', wanted '$wanted'"
    # Files in zsh are the shell's own: it leaves what is before the = away.
    [ -z "$(find . -name "${short%% *}")" ] || wanted=$short
    got=$(in_zsh "$@" | sort | xargs)
    [ "$got" = "$wanted" ] || fail "zsh: '$*' offers '$got', wanted '$wanted'"
    lines=$((lines + 1))
}
lines=0
zsh -n "$zsh"
fish -n "$fish"
offers compare hetune comp
offers run.yaml hetune run run
offers 'results run.yaml' hetune validate r
offers results hetune explain ''
offers '--policy-lib' hetune run --poli
offers mine.so hetune run --policy-lib m
offers 'policy= predictor= preempt_at=' hetune run -s p
offers 'policy=hermes policy=hermes_v2' hetune run -s policy=her
offers '--set=policy=fifo' hetune run --set=policy=fi
offers 'cluster=run.yaml' hetune run -s cluster=ru
offers 'write_jobs=false write_jobs=true' hetune run run.yaml -qs write_jobs=
offers utilisation hetune plot results --kind util
offers predictors hetune list pred
offers fifo hetune compare results --baseline fi
offers metrics hetune self man me
offers '' hetune run --no-such-opt
offers '' hetune no-such-command ''

# ---- everything is there ----

mandoc -T lint -W warning "$man"/*.1 > lint || true
! grep -v 'missing date' lint || fail "mandoc has findings"
text() { mandoc -T ascii "$1" | sed 's/.\x08//g'; }
options=0
commands=$(hetune self complete | cut -f 1 | grep -v '^-')
[ "$commands" = "$(hetune --help | awk '/^$/ { part++ } part == 2 && /^  hetune / { print $2 }')" ] || fail "completion and help differ: $commands"
for command in $commands; do
    text "$man/hetune.1" | grep -qE "^ +$command( |$)" || fail "hetune(1) does not name $command"
    page=$(text "$man/hetune-$command.1")
    in_bash hetune "$command" -- > offered
    for option in $(hetune "$command" --help | grep -oE '^  (-.,|   ) --[a-z-]+' | grep -oE -- '--[a-z-]+'); do
        grep -qE -- "^ +(-., )?$option( |$)" <<< "$page" || fail "hetune-$command(1) has no $option"
        grep -qx -- "$option" offered || fail "completion of $command has no $option"
        options=$((options + 1))
    done
done
[ "$options" -gt 20 ]
echo "$(wc -w <<< "$commands") manual pages of commands, $options options; $lines lines completed in bash, zsh and fish"
