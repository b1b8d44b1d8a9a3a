# SPDX-License-Identifier: GPL-3.0-or-later
# What is in the files of traces/microbench, which have a row a line. Without `rates`: a line a file and series,
# FILE OP KIND PRECISION ROWS SUM ASIDE, the sum over the results of the rows that are used. With rates=1: a line
# a linear or batched product of at least 20 GFLOP, FILE OP TFLOP/s. With rules=1: the rule of each row set aside.
function text(key,   s) { s = $0; sub(".*\"" key "\": \"", "", s); sub("\".*", "", s); return s == "" ? "-" : s }
function done() { if (rows && !rates && !rules) printf "%s %s %s %.12g %d\n", file, series, rows, sum, aside; rows = sum = aside = 0 }
FNR == 1 { done(); file = FILENAME; sub(".*/", "", file); sub(".json$", "", file) }
/"op":/ { done(); op = text("op"); series = op " " text("kind") " " text("precision"); used = 1 }
/^ *\[[0-9]/ {
    line = $0
    gsub(/[^0-9.e+, -]|, *{.*|\].*/, "", line)
    n = split(line, cell, ",")
    if (!used) {
        aside++
        if (rules)
            print rule
    } else {
        rows++
        sum += cell[n]
        if (rates && (op == "linear" || op == "bmm")) {
            work = 2
            for (i = 1; i < n; i++)
                work *= cell[i]
            if (work >= 2e10)
                print file, op, work / cell[n] / 1e9
        }
    }
}
/"rule":/ { used = 0; rule = text("rule") }
END { done() }
