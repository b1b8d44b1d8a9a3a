# A row a case, a column a policy but the baseline; the number is the change in %, in brackets if its interval has 0.
columns = policies - 1
row_in = 0.18
left_in = most_of(1.0, row_chars * char_in * 0.92 + 0.15)
head_in = 0.62 + columns * 0.13
height = head_in + rows * row_in + 0.3
left = left_in / width
cell = least_of(0.9, (width - left_in - 0.1) / columns)
stats file index 3 every ::1::1 using (axes = stringcolumn(1), 1) nooutput
# Whiter is less: blue is better, orange worse; what is neither is grey.
depth(x) = least_of(1.0, abs(x) / edge)
mix(from, to, share) = int(from + (to - from) * share)
blend(r, g, b, s) = 65536 * mix(255, r, s) + 256 * mix(255, g, s) + mix(255, b, s)
is_better(x) = better == 1 ? x > 0 : x < 0
cell_rgb(x) = better == 0 ? blend(150, 150, 150, depth(x)) : is_better(x) ? blend(88, 169, 220, depth(x)) : blend(250, 150, 60, depth(x))
shows(x, clear) = sprintf(clear == 1 ? '%+.1f' : '(%+.1f)', x)
# Policies are named by numbers and a list above.
number_of(p) = sprintf('%d', p)

do for [ending in terminals] {
    eval begin(ending)
    set tmargin at screen 1.0 - head_in / height
    set bmargin at screen 0.3 / height
    set lmargin at screen left
    set rmargin at screen left + columns * cell / width
    unset key
    unset border
    unset grid
    unset ytics
    set xrange [0.5:columns + 0.5]
    set yrange [rows + 0.5:0.5]
    unset xtics
    set style fill solid 1.0 border rgb 0xFFFFFF
    set label 1 written(fit(what.' against '.label[1].', change in %; in brackets: not clear')) at screen 0.1 / width, screen 1.0 - 0.12 / height
    do for [p = 1:columns] {
        set label 10 + p written(fit(number_of(p).'  '.label[p + 1])) at screen 0.1 / width, screen 1.0 - (0.12 + p * 0.145) / height
        set label 100 + p number_of(p) at first p, graph 1 center offset 0, 0.5
    }
    set label 2 written(fit((cases > rows ? sprintf('the first %d of %d ', rows, cases) : '').'cases: '.axes)) at screen 0.1 / width, screen 0.12 / height
    plot file index 1 every ::1 using 2:1:($2 - 0.5):($2 + 0.5):($1 - 0.5):($1 + 0.5):(cell_rgb($3)) \
             with boxxyerror linecolor rgb variable, \
         '' index 1 every ::1 using 2:1:(shows($3, $7)) with labels, \
         '' index 2 every ::1 using (0.5):1:(shown_text(stringcolumn(2))) with labels right offset -0.8, 0
    set output
}
