# One panel a metric, one bar a policy.
row_in = most_of(0.17, least_of(0.26, 1.3 / policies))
top_in = 0.32
height = top_in + 0.5 + policies * row_in
left = (label_chars * char_in + 0.15) / width
panel = (1.0 - left - 0.02) / panels

array title_of[panels]
do for [k = 1:panels] {
    stats file index k every ::1::1 using (title_of[k] = stringcolumn(1), 1) nooutput
}

do for [ending in 'svg pdf'] {
    eval begin(ending)
    set multiplot
    set tmargin at screen 1.0 - top_in / height
    set bmargin at screen 0.45 / height
    set yrange [policies + 0.6:0.4]
    set xrange [0:1.25 * longest / unit]
    set style fill solid 1.0 noborder
    set xlabel (hpo ? 'HPO time' : 'JCT').' ('.unit_name(unit).')' offset 0, 0.6
    set xtics 0, step(longest / unit, panel * width / 0.45) offset 0, 0.3
    unset ytics
    unset key
    do for [k = 1:panels] {
        set title title_of[k] offset 0, -0.6
        set lmargin at screen left + (k - 1) * panel
        set rmargin at screen left + k * panel - 0.02
        plot file index k every ::1 using (0):3:(0):($4 / unit):($3 - 0.35):($3 + 0.35) \
                 with boxxyerror linecolor rgb 0x9FB8D0, \
             '' index k every ::1 using ($4 / unit):3:($5 / unit):($6 / unit) with xerrorbars \
                 linetype 1 pointtype 7 pointsize 0.01 linewidth 1, \
             '' index k every ::1 using (($6 > 0 ? $6 : $4) / unit):3:(shown($4 / unit)) \
                 with labels left offset 0.6, 0, \
             '' index k every ::1 using (0):3:(k == 1 ? stringcolumn(2) : '') with labels right offset -0.8, 0
    }
    unset multiplot
    set output
}
