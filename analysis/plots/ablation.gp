# A row a case that differs from the first in one axis, in it a bar a policy.
# Texts that would take half of the picture stand above their bars.
stacked = row_chars * char_in + 0.15 > width / 2
text_in = stacked ? 0.16 : 0
bars_in = most_of(0.2, 0.11 * policies + 0.06)
row_in = text_in + bars_in
head_in = key_height(width) + 0.08
height = head_in + rows * row_in + 0.62
left = stacked ? 0.15 / width : (row_chars * char_in + 0.15) / width
stats file index policies + 2 every ::1::1 using (first_case = stringcolumn(1), 1) nooutput
slot = 0.84 / policies * bars_in / row_in
by = step(2 * edge, most_of(2, (1 - left) * width / 0.6))
at(p, row) = row + text_in / 2 / row_in + (p - (policies + 1) / 2.0) * slot

do for [ending in terminals] {
    eval begin(ending)
    set tmargin at screen 1.0 - head_in / height
    set bmargin at screen 0.62 / height
    set lmargin at screen left
    set rmargin at screen 1.0 - 0.15 / width
    unset key
    eval draw_key
    set style fill solid 0.75 noborder
    set xrange [-1.05 * edge:1.05 * edge]
    set yrange [rows + 0.55:0.45]
    unset ytics
    set border 1
    set xtics -ceil(edge / by) * by, by offset 0, 0.3
    set xlabel written(what.': change in %'.(intervals ? ' with 95 % interval' : '')) offset 0, 0.6
    set label 1 written(fit('against: '.first_case)) at screen 0.1 / width, screen 0.12 / height
    set arrow 1 from 0, graph 0 to 0, graph 1 nohead linewidth 0.8 back
    plot for [p = 1:policies] file index p every ::1 using (0):(at(p, $2)):(0):3:(at(p, $2) - 0.4 * slot):(at(p, $2) + 0.4 * slot) \
             with boxxyerror linetype p, \
         for [p = 1:policies] file index p every ::1 using 3:(at(p, $2)):4:5 with xerrorbars \
             linetype 1 pointtype 7 pointsize 0.01 linewidth 0.8, \
         file index policies + 1 every ::1 using (-1.05 * edge):1:(stacked ? '' : shown_text(stringcolumn(2))) with labels right offset -0.8, 0, \
         '' index policies + 1 every ::1 using (-1.05 * edge):($1 - 0.5 + text_in / 2 / row_in):(stacked ? shown_text(fit(stringcolumn(2))) : '') with labels left
    set output
}
