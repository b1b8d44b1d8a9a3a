# Of each seed what a policy gains against the baseline: boxes from the lower to the upper quartile, the median in them;
# whiskers to the 5th and the 95th percentile; a dot at the mean. One group a case, or a value of an axis.
rows_in = key_height(width) + 0.18
names_in = most_of(0.25, least_of(1.1, 0.036 * name_chars + 0.16))
flat = name_chars * 0.068 < (width - 0.7) / groups
foot_in = (flat ? 0.2 : names_in) + 0.36
height = 1.9 + rows_in + foot_in
slot = 0.84 / (policies - 1)
at(p, c) = c + (p - 1 - policies / 2.0) * slot
stats file index policies every ::1::1 using (along = stringcolumn(3), 1) nooutput
explained = width < 5 ? 'quartiles, 5th and 95th percentile, mean' : \
            'box: quartiles and median over runs; whiskers: 5th and 95th percentile; dot: mean'
room = 0.06 * (most - least)

do for [ending in terminals] {
    eval begin(ending)
    set tmargin at screen 1.0 - rows_in / height
    set bmargin at screen foot_in / height
    set lmargin at screen 0.55 / width
    set rmargin at screen 1.0 - 0.12 / width
    unset key
    do for [p = 2:policies] {
        set arrow 10 + p from screen key_x(p - 1, 0), screen key_y(p - 1) to screen key_x(p - 1, 0.3), screen key_y(p - 1) nohead linetype p linewidth 3
        set label 10 + p written(label[p]) at screen key_x(p - 1, 0.37), screen key_y(p - 1) left
    }
    set label 1 explained at screen 0.1 / width, screen 0.1 / height
    set yrange [least - room:most + room]
    set ytics 0, step(most - least, 5)
    set ytics autofreq
    unset grid
    set grid ytics linetype 1 linecolor rgb 0xDDDDDD linewidth 0.4 dashtype solid
    set xrange [0.5:groups + 0.5]
    if (flat) { set xtics scale 0 offset 0, 0.3 } else { set xtics scale 0 rotate by 30 right offset 0, 0.2 }
    set label 2 written(fit(along.(all_groups > groups ? sprintf(' (the first %d of %d)', groups, all_groups) : ''))) \
        at screen 0.1 / width, screen 0.26 / height
    set label 3 written(fit(gain.' of '.what.' in %, against '.label[1])) at screen 0.1 / width, screen 1.0 - (rows_in - 0.1) / height
    set arrow 1 from graph 0, first 0 to graph 1, first 0 nohead linewidth 0.8 back
    set style fill solid 0.35 border -1
    set boxwidth slot * 0.7
    plot file index policies every ::1 using 1:(NaN):xticlabels(written(stringcolumn(2))) with points, \
         for [p = 2:policies] file index p - 1 every ::1 using (at(p, $2)):4:3:7:6 with candlesticks \
             linetype p linewidth 0.8 whiskerbars 0.5, \
         for [p = 2:policies] file index p - 1 every ::1 using (at(p, $2) - 0.35 * slot):5:(0.7 * slot):(0) with vectors \
             nohead linecolor rgb 'black' linewidth 2.4, \
         for [p = 2:policies] file index p - 1 every ::1 using (at(p, $2)):8 with points \
             linetype 1 pointtype 7 pointsize 0.35
    set output
}
