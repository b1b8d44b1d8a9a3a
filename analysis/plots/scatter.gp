# Predictions against measurements, a point each; on the dashed line they agree, dotted lines are a factor of 1.2 off, or 20 % of an error. Hollow: fitted.
width = wide(3.33)
head_in = key_height(width) + 0.05
left_in = 0.6
side_in = errors ? 2.0 : least_of(width - left_in - 0.15, 3.2)
height = head_in + side_in + 0.45
# Full and hollow marks of the same shape.
array full[4] = [7, 5, 9, 13]
array hollow[4] = [6, 4, 8, 12]
full_of(p) = full[int((p - 1) / 8 + p - 1) % 4 + 1]
hollow_of(p) = hollow[int((p - 1) / 8 + p - 1) % 4 + 1]
within(y) = errors ? (y > edge ? edge : y < -edge ? -edge : y) : y
line(x) = errors ? 0 : x
above(x) = errors ? 20 : 1.2 * x
below(x) = errors ? -20 : x / 1.2

do for [ending in terminals] {
    eval begin(ending)
    set tmargin at screen 1.0 - head_in / height
    set bmargin at screen 0.45 / height
    set lmargin at screen left_in / width
    set rmargin at screen (errors ? width - 0.15 : left_in + side_in) / width
    unset key
    do for [p = 1:policies] {
        set label 10 + p written(label[p]) at screen key_x(p, 0.15), screen key_y(p) left point linetype p pointtype full_of(p) pointsize 0.6 offset 1, 0
    }
    set logscale x
    set xrange [least / 1.3:most * 1.3]
    eval power_tics('x')
    if (errors) {
        set yrange [-edge:edge]
        set ytics step(2 * edge, 8) format '%g'
    } else {
        set logscale y
        set yrange [least / 1.3:most * 1.3]
        eval power_tics('y')
    }
    set xtics offset 0, 0.3
    set grid ytics
    set xlabel written(x_title) offset 0, 0.6
    set ylabel written(y_title) offset errors ? 1.0 : 0.2, 0
    plot line(x) with lines linecolor rgb 0x777777 linewidth 0.8 dashtype 2, \
         above(x) with lines linecolor rgb 0x777777 linewidth 0.6 dashtype 3, \
         below(x) with lines linecolor rgb 0x777777 linewidth 0.6 dashtype 3, \
         for [p = 1:policies] file index p every ::1 using 2:($1 == 0 ? within($3) : NaN) with points \
             linetype p pointtype full_of(p) pointsize 0.35, \
         for [p = 1:policies] file index p every ::1 using 2:($1 == 1 ? within($3) : NaN) with points \
             linetype p pointtype hollow_of(p) pointsize 0.4
    set output
}
