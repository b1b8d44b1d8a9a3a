# A panel a job: the parts of its batch on each GPU (or GPU type), stacked, against time.
stats file index 0 every ::1::1 using (seed = $4) nooutput
columns = width < 5 ? 2 : 4
columns = least_of(columns, panels)
rows = (panels + columns - 1) / columns
columns = (panels + rows - 1) / rows
panel_in = 0.92
entry_in = group_chars * char_in + 0.42
in_line = most_of(1, int((width - 0.3) / entry_in))
lines = (groups + in_line - 1) / in_line
head_in = 0.26 + 0.17 * lines
height = head_in + rows * panel_in + 0.36
left = 0.3 / width
wide_of = (1.0 - left - 0.08 / width) / columns
array group[groups]
do for [k = 1:groups] {
    stats file index 1 every ::k::k using (group[k] = stringcolumn(2), 1) nooutput
}
array job[panels]
array slowdown[panels]
do for [j = 1:panels] {
    stats file index 2 every ::j::j using (job[j] = $1, slowdown[j] = $2, 1) nooutput
}
title_of(j) = sprintf('job %.0f', job[j]).(slowdown[j] > 0 ? sprintf(', slowdown %.2f', slowdown[j]) : '')

do for [ending in terminals] {
    eval begin(ending)
    set multiplot
    set style fill solid 1 noborder
    unset key
    set xrange [0:last / unit]
    set yrange [0:1]
    unset ytics
    do for [k = 1:groups] {
        x = (0.1 + (k - 1) % in_line * entry_in) / width
        y = 1.0 - (0.3 + (k - 1) / in_line * 0.17) / height
        set object k rectangle from screen x, screen y - 0.045 / height to screen x + 0.22 / width, screen y + 0.045 / height \
            fillcolor rgb colour[k] fillstyle solid 1 noborder
        set label 10 + k written(group[k]) at screen x + 0.28 / width, screen y left
    }
    set label 1 written(fit(label[1].sprintf(', seed %.0f', seed).(jobs > panels ? sprintf(', the first %d of %d jobs', panels, jobs) : ''))) \
        at screen 0.1 / width, screen 1.0 - 0.12 / height
    do for [j = 1:panels] {
        row = (j - 1) / columns
        column = (j - 1) % columns
        set tmargin at screen 1.0 - (head_in + row * panel_in + 0.22) / height
        set bmargin at screen 1.0 - (head_in + (row + 1) * panel_in) / height
        set lmargin at screen left + column * wide_of
        set rmargin at screen left + (column + 1) * wide_of - 0.1 / width
        if (column == 0) { set ytics nomirror ('0' 0, '1' 1) } else { set ytics nomirror ('' 0, '' 1) }
        if (j + columns > panels) {
            set xlabel 'time ('.unit_name(unit).')' offset 0, 0.6
            set xtics 0, step(last / unit, wide_of * width / 0.45) offset 0, 0.3 format '%g'
        } else {
            unset xlabel
            set xtics 0, step(last / unit, wide_of * width / 0.45) format ''
        }
        set label 2 title_of(j) at graph 0, graph 1 offset 0, 0.65
        plot for [k = groups:1:-1] file index j + 2 every ::1 using ($1 / unit):(column(k + 1)) with fillsteps linetype k
        if (j == 1) { unset label 1; unset for [k = 1:groups] object k; unset for [k = 1:groups] label 10 + k }
    }
    unset multiplot
    set output
}
