# One panel a metric, one bar a policy.
row_in = most_of(0.17, least_of(0.26, 1.3 / policies))
top_in = 0.32
bottom_in = intervals ? 0.63 : 0.42
height = top_in + bottom_in + policies * row_in
left = (label_chars * char_in + 0.15) / width
panel = (1.0 - left - 0.02) / panels

array title_of[panels]
array longest[panels]
array unit[panels]
do for [k = 1:panels] {
    stats file index k every ::1::1 using (title_of[k] = stringcolumn(1), longest[k] = $9, unit[k] = $10, 1) nooutput
}

do for [ending in 'svg pdf'] {
    eval begin(ending)
    set multiplot
    set tmargin at screen 1.0 - top_in / height
    set bmargin at screen bottom_in / height
    set yrange [policies + 0.6:0.4]
    set style fill solid 1.0 noborder
    unset ytics
    unset key
    do for [k = 1:panels] {
        if (k == 1 && intervals) {
            set label 1 sprintf('mean of %d seeds and its 95 %% interval', seeds) at screen 0.1 / width, screen 0.12 / height
        } else { unset label 1 }
        u = unit[k]
        set xrange [0:1.25 * longest[k] / u]
        set xlabel (hpo ? 'HPO time' : 'JCT').' ('.unit_name(u).')' offset 0, 0.6
        set xtics 0, step(longest[k] / u, panel * width / 0.45), 1.15 * longest[k] / u offset 0, 0.3
        set title title_of[k] offset 0, -0.6
        set lmargin at screen left + (k - 1) * panel
        set rmargin at screen left + k * panel - 0.025
        plot file index k every ::1 using (0):3:(0):($4 / u):($3 - 0.35):($3 + 0.35) \
                 with boxxyerror linecolor rgb 0x9FB8D0, \
             '' index k every ::1 using (($4 + 0 * $5) / u):3:($5 / u):($6 / u) with xerrorbars \
                 linetype 1 pointtype 7 pointsize 0.01 linewidth 1, \
             '' index k every ::1 using ($8 / u):3:($7 > 0 ? shown($4 / u) : 'none') \
                 with labels left offset 0.6, 0, \
             '' index k every ::1 using (0):3:(k == 1 ? stringcolumn(2) : '') with labels right offset -0.8, 0
    }
    unset multiplot
    set output
}
