# Steps on a logarithmic axis.
width = 3.33
height = 2.1 + key_height(width)
low = least / 1.25
high = most * 1.25

do for [ending in 'svg pdf'] {
    eval begin(ending)
    set tmargin at screen 1.0 - key_height(width) / height
    set bmargin at screen 0.42 / height
    set lmargin at screen 0.5 / width
    set rmargin at screen 1.0 - 0.12 / width
    unset key
    eval draw_key
    set logscale x
    set xrange [low:high]
    set xtics offset 0, 0.3
    set yrange [0:1]
    set ytics 0, 0.2
    set grid ytics
    set xlabel 'JCT (s)' offset 0, 0.6
    set ylabel 'share of jobs done' offset 1.2, 0
    plot for [p = 1:policies] file index p every ::1 using 2:3 with steps \
             linetype p dashtype 1 + (p - 1) % 8 linewidth 1.4
    set output
}
