# SPDX-License-Identifier: GPL-3.0-or-later
# Completion for fish. The command itself knows what can follow; see `hetune self --help`.

function __hetune_complete
    set -l typed (commandline -opc)
    set -l last (commandline -ct)
    # What is before the last = stays.
    set -l cut (string match -r '^.*=' -- $last)
    set -l part (string replace -r '^.*=' '' -- $last)
    $typed[1] self complete -- $typed[2..-1] $last 2>/dev/null | while read -l line
        switch $line
            case @folders
                for path in $part*/
                    echo "$cut$path"
                end
            case '@files*'
                set -l ending (string replace '@files' '' -- $line | string trim)
                for path in $part*$ending $part*/
                    echo "$cut$path"
                end
            case '*'
                echo $line
        end
    end
end

complete -c hetune -f -a '(__hetune_complete)'
