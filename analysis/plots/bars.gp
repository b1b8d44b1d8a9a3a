# One panel a metric, one bar a policy; panels side by side where there is room.
label_in = label_chars * char_in + 0.15
columns = least_of(panels, most_of(1, int((width - label_in) / 1.4)))
rows = (panels + columns - 1) / columns
row_in = most_of(0.17, least_of(0.26, 1.3 / policies))
top_in = 0.32
axis_in = 0.44
note_in = intervals ? 0.2 : 0
panel_in = top_in + policies * row_in + axis_in
height = rows * panel_in + note_in
left = label_in / width
panel = (1.0 - left - 0.02) / columns

array title_of[panels]
array longest[panels]
array unit[panels]
array measure[panels]
do for [k = 1:panels] {
    stats file index k every ::1::1 using (title_of[k] = stringcolumn(1), longest[k] = $9, unit[k] = $10, measure[k] = $11, 1) nooutput
}
# What the axis counts: nothing, seconds, GPU seconds.
axis(k) = measure[k] == 0 ? what : (what eq '' ? '' : what.' ').'('.(measure[k] == 2 ? 'GPU ' : '').unit_name(unit[k]).')'

do for [ending in terminals] {
    eval begin(ending)
    set multiplot
    set yrange [policies + 0.6:0.4]
    set style fill solid 1.0 noborder
    unset ytics
    unset key
    do for [k = 1:panels] {
        row = (k - 1) / columns
        column = (k - 1) % columns
        set tmargin at screen 1.0 - (row * panel_in + top_in) / height
        set bmargin at screen 1.0 - (row * panel_in + top_in + policies * row_in) / height
        set lmargin at screen left + column * panel
        set rmargin at screen left + (column + 1) * panel - 0.18 / width
        if (k == 1 && intervals) {
            set label 1 written(sprintf('mean of %d seeds and its 95 %% interval', seeds)) at screen 0.1 / width, screen 0.12 / height
        } else { unset label 1 }
        u = unit[k]
        set xrange [0:1.25 * longest[k] / u]
        set xlabel written(axis(k)) offset 0, 0.6
        set xtics 0, step(longest[k] / u, panel * width / 0.45), 1.15 * longest[k] / u offset 0, 0.3
        set title written(title_of[k]) offset 0, -0.6
        plot file index k every ::1 using (0):3:(0):($4 / u):($3 - 0.35):($3 + 0.35) \
                 with boxxyerror linecolor rgb 0x9FB8D0, \
             '' index k every ::1 using (($4 + 0 * $5) / u):3:($5 / u):($6 / u) with xerrorbars \
                 linetype 1 pointtype 7 pointsize 0.01 linewidth 1, \
             '' index k every ::1 using ($8 / u):3:($7 > 0 ? shown($4 / u) : 'none') \
                 with labels left offset 0.6, 0, \
             '' index k every ::1 using (0):3:(column == 0 ? shown_text(stringcolumn(2)) : '') with labels right offset -0.8, 0
    }
    unset multiplot
    set output
}
