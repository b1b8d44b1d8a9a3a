# Boxes from the lower to the upper quartile, the median in them; whiskers to the 5th and the 95th
# percentile; a dot at the mean. One group a class of GPUs wanted.
key_in_all = key_height(width)
height = 2.3 + key_in_all + 0.3
slot = 0.84 / policies
at(p, c) = c + (p - (policies + 1) / 2.0) * slot
array axis[2] = ['JCT (s)', 'bounded slowdown']
explained = width < 5 ? 'quartiles, 5th and 95th percentile, mean' : \
            'box: quartiles and median; whiskers: 5th and 95th percentile; dot: mean'

do for [ending in terminals] {
    eval begin(ending)
    set tmargin at screen 1.0 - key_in_all / height
    set bmargin at screen 0.6 / height
    set lmargin at screen 0.55 / width
    set rmargin at screen 1.0 - 0.12 / width
    unset key
    eval draw_key
    set label 1 explained at screen 0.55 / width, screen 0.12 / height
    set logscale y
    eval power_tics('y')
    set yrange [least / 1.3:most * 1.3]
    unset grid
    set grid ytics linetype 1 linecolor rgb 0xDDDDDD linewidth 0.4 dashtype solid
    set xrange [0.5:classes + 0.5]
    set xtics scale 0 offset 0, 0.3
    set xlabel 'GPUs wanted' offset 0, 0.8
    set ylabel axis[measure + 1] offset 1.2, 0
    set style fill solid 0.35 border -1
    set boxwidth slot * 0.7
    plot file index 1 every ::1 using 1:(NaN):xticlabels(written(stringcolumn(2))) with points, \
         for [p = 1:policies] file index p + 1 every ::1 using (at(p, $2)):4:3:7:6 with candlesticks \
             linetype p linewidth 0.8 whiskerbars 0.5, \
         for [p = 1:policies] file index p + 1 every ::1 using (at(p, $2) - 0.35 * slot):5:(0.7 * slot):(0) with vectors \
             nohead linecolor rgb 'black' linewidth 2.4, \
         for [p = 1:policies] file index p + 1 every ::1 using (at(p, $2)):8 with points \
             linetype 1 pointtype 7 pointsize 0.35
    set output
}
