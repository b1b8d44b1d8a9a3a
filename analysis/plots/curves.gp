# A line a trial, up to where it stops; how it ended is told by colour, width and mark.
height = 2.7
stats file index 0 every ::1::1 using (seed = $4) nooutput
direction = lower_is_better ? 'lower' : 'higher'

do for [ending in terminals] {
    eval begin(ending)
    set tmargin at screen 1.0 - (width < 5 ? 0.6 : 0.44) / height
    set bmargin at screen 0.42 / height
    set lmargin at screen 0.55 / width
    set rmargin at screen 1.0 - 0.12 / width
    set xrange [0:last / unit]
    set xtics 0, step(last / unit, width / 0.6) offset 0, 0.3
    set ytics
    set grid ytics
    set xlabel 'time since the experiment began ('.unit_name(unit).')' offset 0, 0.6
    set ylabel 'metric ('.direction.' is better)' offset 1.2, 0
    set label 1 written(label[1].sprintf(', seed %.0f', seed).(trials > lines ? sprintf(', the first %d of %d trials', lines, trials) : '')) \
            at screen 0.55 / width, screen 1.0 - 0.12 / height
    set key at screen 1.0 - 0.12 / width, screen 1.0 - 0.18 / height right top horizontal samplen 1.5 spacing 1
    if (has_target) {
        set arrow 1 from graph 0, first target to graph 1, first target nohead linewidth 0.8 dashtype 3 back
    }
    plot file index 3 every ::1 using ($2 / unit):3 with lines linecolor rgb 0x999999 linewidth 1 dashtype 2 \
             title (has_3 ? 'not ended' : ''), \
         file index 2 every ::1 using ($2 / unit):3 with lines linecolor rgb 0xF0A800 linewidth 0.8 notitle, \
         file index 1 every ::1 using ($2 / unit):3 with lines linecolor rgb 0x005CA0 linewidth 1.4 notitle, \
         file index 4 every ::1 using ($4 == 2 ? $2 / unit : NaN):3 with points pointtype 2 pointsize 0.5 \
             linecolor rgb 0xD04E00 linewidth 1.4 title (has_2 ? 'stopped before its end' : ''), \
         file index 4 every ::1 using ($4 == 1 ? $2 / unit : NaN):3 with points pointtype 7 pointsize 0.45 \
             linecolor rgb 0x005CA0 title (has_1 ? 'done' : '')
    set output
}
