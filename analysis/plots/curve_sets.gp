# Sets of learning curves, a colour each: the metric by time (the median, and dotted a tenth and nine tenths of the
# trials), the last metrics, and how well the metric at a time tells the rank of the last one.
height = 2.2 + key_height(width)
panel = (width - 0.1) / 3
better = falls ? 'lower' : 'higher'
span = most - least

do for [ending in terminals] {
    eval begin(ending)
    set multiplot
    unset key
    eval draw_key
    set tmargin at screen 1.0 - (key_height(width) + 0.03) / height
    set bmargin at screen 0.42 / height
    set grid ytics
    set xtics offset 0, 0.3

    set lmargin at screen 0.58 / width
    set rmargin at screen (panel - 0.12) / width
    set xrange [0:1]
    set xtics 0, 0.25
    set yrange [*:*]
    if (falls) { set logscale y }
    set xlabel 'share of the planned epochs' offset 0, 0.6
    set ylabel 'metric ('.better.' is better)' offset 1.2, 0
    plot for [p = 1:policies] file index p every ::1 using 1:3 with lines linetype p dashtype 1 + (p - 1) % 8 linewidth 1.4, \
         for [p = 1:policies] file index p every ::1 using 1:2 with lines linetype p linewidth 0.7 dashtype 3, \
         for [p = 1:policies] file index p every ::1 using 1:4 with lines linetype p linewidth 0.7 dashtype 3
    unset logscale y
    do for [p = 1:policies] { unset label 10 + p; unset arrow 10 + p }

    set lmargin at screen (panel + 0.45) / width
    set rmargin at screen (2 * panel - 0.1) / width
    set xrange [least - 0.03 * span:most + 0.03 * span]
    set xtics step(1.06 * span, 4)
    set yrange [0:1]
    set ytics 0, 0.2
    set xlabel 'last metric' offset 0, 0.6
    set ylabel 'share of trials' offset 1.2, 0
    plot for [p = 1:policies] file index policies + p every ::1 using 1:2 with lines linetype p dashtype 1 + (p - 1) % 8 linewidth 1.4

    set lmargin at screen (2 * panel + 0.45) / width
    set rmargin at screen (3 * panel - 0.05) / width
    set xrange [0:1]
    set xtics 0, 0.25
    set yrange [*:1]
    set ytics 0.2
    set xlabel 'share of the planned epochs' offset 0, 0.6
    set ylabel 'rank correlation with the last' offset 1.2, 0
    plot for [p = 1:policies] file index p every ::1 using 1:5 with lines linetype p dashtype 1 + (p - 1) % 8 linewidth 1.4
    unset multiplot
    set output
}
