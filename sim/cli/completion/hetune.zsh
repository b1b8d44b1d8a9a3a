#compdef hetune
# SPDX-License-Identifier: GPL-3.0-or-later
# Completion for zsh. The command itself knows what can follow; see `hetune self --help`.

_hetune() {
    local line word
    local -a lines whole open
    lines=("${(@f)$("${(@Q)words[1]}" self complete -- "${(@Q)words[2,CURRENT]}" 2> /dev/null)}")
    for line in $lines; do
        case $line in
        @folders)
            compset -P '*='
            _files -/
            ;;
        @files*)
            compset -P '*='
            _files -g "*${line#@files }"
            ;;
        *)
            word=${line%%$'\t'*}
            line=${word//:/\\:}:${line#*$'\t'}
            if [[ $word == *= ]]; then
                open+=($line)
            else
                whole+=($line)
            fi
            ;;
        esac
    done
    (( $#whole )) && _describe 'word' whole
    (( $#open )) && _describe 'key' open -S ''
}

_hetune "$@"
