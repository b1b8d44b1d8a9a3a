# Lines with bands; the band of a single seed is empty.
width = wide(3.33)
height = 2.1 + key_height(width)
direction = lower_is_better ? 'lowest' : 'highest'

do for [ending in terminals] {
    eval begin(ending)
    set tmargin at screen 1.0 - key_height(width) / height
    set bmargin at screen 0.42 / height
    set lmargin at screen 0.55 / width
    set rmargin at screen 1.0 - 0.12 / width
    unset key
    eval draw_key
    set style fill transparent solid 0.15 noborder
    set logscale x
    eval power_tics('x')
    set xrange [least:most]
    set xtics offset 0, 0.3
    set ytics
    set grid ytics
    set xlabel 'time since the experiment began (s)' offset 0, 0.6
    set ylabel direction.' metric so far' offset 1.2, 0
    if (has_target) {
        set arrow 1 from graph 0, first target to graph 1, first target nohead linewidth 0.8 dashtype 3 back
    }
    plot for [p = 1:policies] file index p every ::1 using 2:4:5 with filledcurves \
             linetype p, \
         for [p = 1:policies] file index p every ::1 using 2:3 with lines \
             linetype p dashtype 1 + (p - 1) % 8 linewidth 1.4
    set output
}
