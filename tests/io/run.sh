#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What cannot be read or written: a message, exit code 3, no file that is not whole, and the next try gives the right
# bytes; never exit code 0 with something wrong. First with devices, disks and users that refuse by themselves, then with
# every system call that touches a file failing in turn (strace).
set -u
ROOT=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
mounted=
trap '[ -z "$mounted" ] || umount "$work/disk"; rm -rf "$work"' EXIT
chmod 755 "$work"
cd "$work" || exit 1
install "$BIN/hetune" hetune # where any user can run it
hetune=$work/hetune
failed=0 checks=0 skipped=
complain() { echo "FAILED: $*: exit code $got, $(head -n 1 err)"; failed=1; }

cat > run.yaml <<'END'
cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 1}]}
trace: jobs.csv
policy: [fifo, sjf]
END
printf 'submit_s,gpus,duration_s\n0,1,10\n0,1,5\n' > jobs.csv
printf 'run: run.yaml\naxes: {seed: {from: 1, to: 3}}\n' > sweep.yaml
mkdir right

# ---- what is tried: a command, what it writes, and how the next try is made ----

# NAME, the folder that it writes into (-: none), the command, the next try.
scenarios=(
    'run|out|run run.yaml -o out -q|run run.yaml -o out -q --force'
    'sweep|out|sweep run sweep.yaml -o out -q --jobs 1|sweep run sweep.yaml -o out -q --jobs 1'
    'merge|merged|sweep merge right/sweep -o merged/all.csv|sweep merge right/sweep -o merged/all.csv'
    'plot|out|plot right/run -o out --kind jct -q|plot right/run -o out --kind jct -q'
    'man|man1|self man -o man1|self man -o man1'
    'compare|-|compare right/run|compare right/run'
    'metrics|-|metrics right/run/fifo/seed-1|metrics right/run/fifo/seed-1'
    'explain|-|explain right/run/fifo/seed-1|explain right/run/fifo/seed-1'
    'list|-|list policies|list policies'
    'validate|-|validate run.yaml|validate run.yaml'
)
fresh() { rm -rf out merged man1; mkdir merged man1; }
# Points of sweeps hold times: what they merge into is compared. timing.json differs, too.
settle() { [ "$1" != sweep ] || "$hetune" sweep merge out -o out/merged.csv > /dev/null; }
files() { (cd "$1" 2> /dev/null && find . -type f ! -name timing.json ! -path './points/*' | sort); }

for s in "${scenarios[@]}"; do
    IFS='|' read -r name folder command again <<< "$s"
    fresh
    # shellcheck disable=SC2086
    "$hetune" $command > right/$name.out 2> err || { got=$?; complain "$name"; exit 1; }
    settle "$name"
    [ "$folder" = - ] || cp -R "$folder" "right/$name"
done

# All that is there is as it should be: with `all`, nothing is missing.
whole() { # NAME FOLDER [all]
    local file there
    [ "$2" = - ] && return 0
    [ -z "$(find "$2" -name '*.tmp-*' 2> /dev/null)" ] || return 1
    there=$(files "$2")
    for file in $there; do
        cmp -s "$2/$file" "right/$1/$file" || return 1
    done
    [ -z "${3-}" ] || [ "$there" = "$(files "right/$1")" ]
}

# After a command with $got, out and err: fine with the right files and the right output, or told and nothing torn.
sound() { # NAME FOLDER WHAT AGAIN
    checks=$((checks + 1))
    if [ "$got" = 0 ]; then
        settle "$1"
        cmp -s printed "right/$1.out" || complain "$3: other output"
        whole "$1" "$2" all || complain "$3: wrong or missing files"
        return
    fi
    [ "$got" = 3 ] || complain "$3"
    [ -s err ] || complain "$3: no message"
    whole "$1" "$2" || complain "$3: a file is not whole: $(find "$2" -name '*.tmp-*')"
    # shellcheck disable=SC2086
    [ "$2" = - ] || "$hetune" $4 > printed 2> err || complain "$3: the next try fails"
    settle "$1"
    whole "$1" "$2" all || complain "$3: the next try gives other files"
}
says() { grep -q "$1" err || complain "$2: the message is not '$1'"; }

# ---- standard output: closed, full, or nobody reads it ----

for s in "${scenarios[@]}"; do
    IFS='|' read -r name folder command again <<< "$s"
    [ -s "right/$name.out" ] || continue
    fresh
    # shellcheck disable=SC2086
    "$hetune" $command 2> err >&-
    got=$?
    sound "$name" "$folder" "$name >&-" "$again"
    fresh
    # shellcheck disable=SC2086
    "$hetune" $command > /dev/full 2> err
    got=$?
    [ $got = 3 ] || complain "$name > /dev/full"
    says 'standard output: cannot write: No space left on device' "$name > /dev/full"
    sound "$name" "$folder" "$name > /dev/full" "$again"
    fresh
    # shellcheck disable=SC2086
    (sleep 0.1; "$hetune" $command 2> err; echo $? > got) | true
    got=$(cat got)
    [ "$got" = 0 ] && [ ! -s err ] || complain "$name, and nobody reads"
    checks=$((checks + 1))
done
for n in '<&-' '2>&-' '<&- >&- 2>&-'; do
    fresh
    : > err
    eval "\"\$hetune\" run run.yaml -o out -q > printed $n"
    got=$?
    case $n in *'>&- 2'*) [ $got = 3 ] || complain "run $n" ;; *) [ $got = 0 ] || complain "run $n" ;; esac
    whole run out all || complain "run $n: wrong or missing files"
    checks=$((checks + 1))
done

# ---- disks and users that refuse ----

writing() { # WHAT MESSAGE COMMAND-PREFIX...: each scenario that writes, into disk/
    local what=$1 message=$2
    shift 2
    for s in "${scenarios[@]}"; do
        IFS='|' read -r name folder command again <<< "$s"
        [ "$folder" != - ] || continue
        # shellcheck disable=SC2086
        "$@" "$hetune" ${command/-o /-o disk/} > printed 2> err
        got=$?
        checks=$((checks + 1))
        [ $got = 3 ] || complain "$name: $what"
        says "$message" "$name: $what"
        whole "$name" "disk/$folder" || complain "$name: $what: a file is not whole"
    done
}
mkdir disk
if [ "$(id -u)" = 0 ]; then
    mkdir -p disk/merged disk/man1
    writing 'no permission' 'Permission denied' runuser -u nobody --
    rm -rf disk/*
    for pages in 0 1 2 4; do
        mount -t tmpfs -o "size=$((pages > 0 ? pages * 4 : 4))k" none disk 2> err || { skipped="$skipped mounts"; break; }
        mounted=1
        mkdir -p disk/merged disk/man1
        [ $pages -gt 0 ] || head -c 4096 /dev/zero > disk/filler
        for s in "${scenarios[@]}"; do
            IFS='|' read -r name folder command again <<< "$s"
            [ "$folder" != - ] || continue
            # shellcheck disable=SC2086
            "$hetune" ${command/-o /-o disk/} > printed 2> err
            got=$?
            checks=$((checks + 1))
            case $got in 0 | 3) ;; *) complain "$name: a full disk" ;; esac
            [ $got = 0 ] || says 'No space left on device\|gnuplot' "$name: a full disk"
            whole "$name" "disk/$folder" $([ $got = 3 ] || [ "$name" = sweep ] || echo all) || complain "$name: a full disk of $pages pages: a file is not whole"
            rm -rf disk/out
        done
        mount -o remount,ro disk && writing 'a read-only disk' 'Read-only file system'
        umount disk
        mounted=
    done
else
    chmod a-w disk
    writing 'no permission' 'Permission denied'
    chmod u+w disk
    skipped="$skipped mounts"
fi
# Files may not grow beyond a kilobyte: the last write is a short one.
for s in "${scenarios[@]}"; do
    IFS='|' read -r name folder command again <<< "$s"
    [ "$folder" != - ] && [ "$name" != plot ] || continue
    fresh
    # shellcheck disable=SC2086
    (ulimit -f 1; exec "$hetune" $command) > printed 2> err
    got=$?
    sound "$name" "$folder" "$name: ulimit -f 1" "$again"
done

# ---- stopped while it draws: each picture is whole, and drawing again gives the rest ----

"$hetune" run run.yaml -s seeds=2 -o runs -q > /dev/null && "$hetune" plot runs -o pictures -q > printed
for signal in INT TERM; do
    for files in 1 5 9; do
        rm -rf out
        env --default-signal=INT,TERM "$hetune" plot runs -o out -q > /dev/null 2> err &
        until [ "$(files out | wc -l)" -ge $files ] || ! kill -0 $!; do sleep 0.005; done
        kill -$signal $!
        wait $!
        got=$?
        checks=$((checks + 1))
        [ $got = $((128 + $([ $signal = INT ] && echo 2 || echo 15))) ] || complain "plot, SIG$signal"
        says '^hetune: stopped; pictures that are there are complete$' "plot, SIG$signal"
        for file in $(files out); do
            cmp -s "out/$file" "pictures/$file" || complain "plot, SIG$signal: $file is not whole"
        done
        "$hetune" plot runs -o out -q > printed 2> err && diff -r out pictures > /dev/null || complain "plot after SIG$signal"
    done
done

# ---- each system call fails in turn ----

# Write what is asked for, but at most seven bytes; every other call is interrupted.
cat > short.c <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t write(int fd, const void *text, size_t n)
{
    static int calls;

    if (calls++ % 2) {
        errno = EINTR;
        return -1;
    }
    return syscall(SYS_write, fd, text, n < 7 ? n : 7);
}
END
gcc -shared -fPIC -o short.so short.c || failed=1
for s in "${scenarios[@]}"; do
    IFS='|' read -r name folder command again <<< "$s"
    [ "$folder" != - ] && [ "$name" != plot ] || continue
    fresh
    # shellcheck disable=SC2086
    LD_PRELOAD=$work/short.so "$hetune" $command > printed 2> err
    got=$?
    [ $got = 0 ] || complain "$name: short writes"
    sound "$name" "$folder" "$name: short writes" "$again"
done

errors() {
    case $1 in
    openat) echo EIO EACCES EMFILE ENOSPC EROFS EDQUOT ;;
    read) echo EIO EINTR ;;
    write) echo ENOSPC EIO EDQUOT EINTR ;;
    close) echo EIO ENOSPC EDQUOT EINTR ;;
    rename) echo EIO ENOSPC EROFS EACCES EDQUOT ;;
    mkdir) echo ENOSPC EROFS EACCES EDQUOT ;;
    *) echo EIO ENOSPC ;;
    esac
}
if strace -o calls "$hetune" --version > printed 2> err; then
    for s in "${scenarios[@]}"; do
        IFS='|' read -r name folder command again <<< "$s"
        fresh
        # shellcheck disable=SC2086
        strace -y -o calls "$hetune" $command > printed 2> err
        # Which calls come after main has begun, which ignores SIGPIPE first.
        awk -F'(' '/^[a-z0-9_]+\(/ { n[$1]++ } /SIGPIPE/ { main = 1 }
            /^close\(.*<pipe:/ { next } # the failing call is not made: the other end would wait for ever
            main && $1 ~ /^(openat|read|write|close|rename|fsync|syncfs|mkdir|unlink|newfstatat|getdents64|pipe2|clone|clone3|vfork)$/ { print $1, n[$1] }' calls > points
        turn=0
        while read -r call nth; do
            list=($(errors "$call"))
            error=${list[turn++ % ${#list[@]}]}
            fresh
            # shellcheck disable=SC2086
            timeout 20 strace -o /dev/null -e inject="$call:error=$error:when=$nth" "$hetune" $command > printed 2> err < /dev/null
            got=$?
            sound "$name" "$folder" "$name: $call $nth: $error" "$again"
        done < points
    done
else
    skipped="$skipped system-calls"
fi

[ -z "$skipped" ] || echo "not possible here:$skipped"
echo "$checks failures of input and output are told, and nothing is torn"
exit $failed
