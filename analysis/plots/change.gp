# One panel a metric, one row a policy but the baseline. What is beyond the axis is written at its end.
rows = policies - 1
left_in = label_chars * char_in + 0.15
columns = least_of(panels, most_of(1, int((width - left_in) / 1.15)))
lines = (panels + columns - 1) / columns
row_in = 0.18
top_in = 0.3
line_in = top_in + rows * row_in + 0.3
height = lines * line_in + (width < 5 ? 0.37 : 0.22)
# In a column the legend takes two lines.
legend = 'change against '.label[1].' in %'.(intervals ? \
         sprintf(', 95 %% intervals over %d seeds', seeds) : ' (one seed)')
dots = intervals ? 'a full dot: the interval does not contain 0' : ''
left = left_in / width
panel = (1.0 - left - 0.01) / columns
beyond_text(x) = sprintf('%+.0f →', x)

array title_of[panels]
do for [k = 1:panels] {
    stats file index k every ::1::1 using (title_of[k] = stringcolumn(1), 1) nooutput
}

do for [ending in terminals] {
    eval begin(ending)
    set multiplot
    set yrange [rows + 0.6:0.4]
    set xrange [-edge:edge]
    set xtics ('-50' -50, '0' 0, '+50' 50, '' -100, '' 100) offset 0, 0.3
    set border 1
    unset ytics
    unset key
    set style textbox opaque noborder margins 0.2, 0.2
    set arrow 1 from 0, graph 0 to 0, graph 1 nohead linewidth 0.8 back
    do for [k = 1:panels] {
        row = (k - 1) / columns
        column = (k - 1) % columns
        set title written(title_of[k]) offset 0, -0.6
        set tmargin at screen 1.0 - (row * line_in + top_in) / height
        set bmargin at screen 1.0 - (row * line_in + top_in + rows * row_in) / height
        set lmargin at screen left + column * panel + 0.012
        set rmargin at screen left + (column + 1) * panel - 0.012
        if (k == 1) {
            set label 1 written(width < 5 || dots eq '' ? legend : legend.'; '.dots) at screen 0.1 / width, screen (width < 5 ? 0.26 : 0.12) / height
            set label 2 written(width < 5 ? dots : '') at screen 0.1 / width, screen 0.12 / height
        } else { unset label 1; unset label 2 }
        plot file index k every ::1 using ($9 == 1 ? NaN : $4):3:5:6 with xerrorbars \
                 linetype 1 pointtype 7 pointsize 0.01, \
             '' index k every ::1 using ($8 == 1 && $9 == 0 ? $4 : NaN):3 with points \
                 linetype 1 pointtype 7 pointsize 0.5, \
             '' index k every ::1 using ($8 == 0 && $9 == 0 ? $4 : NaN):3 with points \
                 linetype 1 linecolor rgb 0xFFFFFF pointtype 7 pointsize 0.5, \
             '' index k every ::1 using ($8 == 0 && $9 == 0 ? $4 : NaN):3 with points \
                 linetype 1 pointtype 6 pointsize 0.5, \
             '' index k every ::1 using (edge * 0.98):3:($9 == 1 ? beyond_text($4) : '') \
                 with labels right boxed, \
             '' index k every ::1 using (-edge):3:(column == 0 ? shown_text(stringcolumn(2)) : '') with labels right offset -0.8, 0
    }
    unset multiplot
    set output
}
