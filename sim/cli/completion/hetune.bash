# SPDX-License-Identifier: GPL-3.0-or-later
# Completion for bash. The command itself knows what can follow; see `hetune self --help`.

# bash cuts words at = and :, the command does not.
_hetune_words() {
    local i
    words=()
    for ((i = 1; i <= COMP_CWORD; i++)); do
        local w=${COMP_WORDS[i]}
        if [[ ${#words[@]} -gt 0 && ($w == [=:]* || ($w && ${words[-1]} == *[=:])) ]]; then
            words[-1]+=$w
        else
            words+=("$w")
        fi
    done
}

_hetune() {
    local words line word
    _hetune_words
    local last=${words[-1]} cut=
    # What is before the last = stays on the command line if bash cuts there.
    [[ $last == *=* ]] && cut=${last%=*}=
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
        @folders)
            compopt -o filenames 2> /dev/null
            mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "${last#"$cut"}")
            ;;
        @files*)
            compopt -o filenames 2> /dev/null
            mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -X "!*${line#@files }" -- "${last#"$cut"}")
            [[ $line == '@files ' ]] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "${last#"$cut"}")
            ;;
        *)
            word=${line%%$'\t'*}
            [[ $word == *= ]] && compopt -o nospace 2> /dev/null
            [[ $COMP_WORDBREAKS == *=* ]] && word=${word#"$cut"}
            COMPREPLY+=("$word")
            ;;
        esac
    done < <("$1" self complete -- "${words[@]}" 2> /dev/null)
}

complete -F _hetune hetune
