# A point a run: the metric step by step against that of fluid rates; on the line they agree.
width = wide(3.33)
side_in = least_of(width - 0.75, 3.2)
head_in = key_height(width) + 0.2
height = head_in + side_in + 0.45
title = what.(measure == 0 ? '' : ' ('.(measure == 2 ? 'GPU ' : '').unit_name(unit).')')
room = logarithmic ? 0 : 0.05 * (most - least)

do for [ending in terminals] {
    eval begin(ending)
    set tmargin at screen 1.0 - head_in / height
    set bmargin at screen 0.45 / height
    set lmargin at screen 0.6 / width
    set rmargin at screen (0.6 + side_in) / width
    unset key
    do for [p = 1:policies] {
        set label 10 + p written(label[p]) at screen key_x(p, 0.15), screen key_y(p) left point linetype p pointtype 5 + 2 * ((p - 1) % 4) pointsize 0.6 offset 1, 0
    }
    set label 1 written(sprintf('error: median %.2g %%, 95th percentile %.2g %%; %d runs', median, high, pairs)) \
        at screen 0.6 / width, screen 1.0 - (head_in - 0.1) / height
    if (logarithmic) {
        set logscale xy
        set xrange [least / unit / 1.2:most / unit * 1.2]
        set yrange [least / unit / 1.2:most / unit * 1.2]
    } else {
        set xrange [(least - room) / unit:(most + room) / unit]
        set yrange [(least - room) / unit:(most + room) / unit]
        set xtics step((most - least + 2 * room) / unit, side_in / 0.55) format '%g'
        set ytics step((most - least + 2 * room) / unit, side_in / 0.55) format '%g'
    }
    set xtics offset 0, 0.3
    set grid ytics
    set xlabel written(title.', step by step') offset 0, 0.6
    set ylabel written(title.', fluid') offset 0.2, 0
    plot x with lines linecolor rgb 0x777777 linewidth 0.8 dashtype 3, \
         for [p = 1:policies] file index p every ::1 using ($2 / unit):($3 / unit) with points \
             linetype p pointtype 5 + 2 * ((p - 1) % 4) pointsize 0.4
    set output
}
