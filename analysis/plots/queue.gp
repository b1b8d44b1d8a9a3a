# Means over seeds, with bands; the band of a single seed is empty.
height = 2.1 + key_height(width)

do for [ending in terminals] {
    eval begin(ending)
    set tmargin at screen 1.0 - key_height(width) / height
    set bmargin at screen 0.42 / height
    set lmargin at screen 0.55 / width
    set rmargin at screen 1.0 - 0.12 / width
    unset key
    eval draw_key
    set style fill transparent solid 0.15 noborder
    set xrange [0:last / unit]
    set yrange [0:*]
    set xtics 0, step(last / unit, width / 0.6) offset 0, 0.3
    set ytics
    set grid ytics
    set xlabel 'time ('.unit_name(unit).')' offset 0, 0.6
    set ylabel 'jobs waiting'.(seeds > 1 ? sprintf(', mean of %d seeds', seeds) : '') offset 1.2, 0
    plot for [p = 1:policies] file index p every ::1 using ($2 / unit):4:5 with filledcurves linetype p, \
         for [p = 1:policies] file index p every ::1 using ($2 / unit):3 with lines \
             linetype p dashtype 1 + (p - 1) % 8 linewidth 1.4
    set output
}
