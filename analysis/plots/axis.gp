# A line a policy with its band; texts stand side by side, numbers where they are.
width = wide(3.33)
height = 2.45 + key_height(width)
stats file index policies + 1 every ::1::1 using (along = stringcolumn(3), 1) nooutput
title = what.(measure == 0 ? '' : ' ('.(measure == 2 ? 'GPU ' : '').unit_name(unit).')')
room = x_most > x_least ? 0.06 * (x_most - x_least) : 1

do for [ending in terminals] {
    eval begin(ending)
    set tmargin at screen 1.0 - key_height(width) / height
    set bmargin at screen 0.75 / height
    set lmargin at screen 0.6 / width
    set rmargin at screen 1.0 - 0.15 / width
    unset key
    eval draw_key
    set style fill transparent solid 0.15 noborder
    if (logarithmic) { set logscale x; set xrange [x_least / 1.1:x_most * 1.1] } else { set xrange [x_least - room:x_most + room] }
    set yrange [*:*]
    set ytics
    set grid ytics
    set xtics offset 0, 0.3
    set xlabel written(along) offset 0, 0.2
    set ylabel written(title) offset 1.2, 0
    set label 1 (cases_each > 1 ? sprintf('means over %d cases each', cases_each) : '') at screen 0.1 / width, screen 0.1 / height
    # Texts are tics, and so are few numbers.
    set xtics () rotate by 30 right offset 0, 0.2
    plot file index policies + 1 every ::1 using 1:(NaN):xticlabels(written(stringcolumn(2))) with points, \
         for [p = 1:policies] file index p every ::1 using 2:($4 / unit):($5 / unit) with filledcurves linetype p, \
         for [p = 1:policies] file index p every ::1 using 2:($3 / unit):($4 / unit):($5 / unit) with yerrorbars linetype p pointtype 7 pointsize 0.01 linewidth 0.8, \
         for [p = 1:policies] file index p every ::1 using 2:($3 / unit) with linespoints \
             linetype p dashtype 1 + (p - 1) % 8 linewidth 1.4 pointtype 7 pointsize 0.45
    set output
}
