# Steps on a logarithmic axis.
width = wide(3.33)
height = 2.1 + key_height(width)
low = least / 1.25
high = most * 1.25
array axis[3] = ['JCT (s)', 'bounded slowdown', 'finish-time fairness: JCT / JCT alone on an equal share']

do for [ending in terminals] {
    eval begin(ending)
    set tmargin at screen 1.0 - key_height(width) / height
    set bmargin at screen 0.42 / height
    set lmargin at screen 0.5 / width
    set rmargin at screen 1.0 - 0.12 / width
    unset key
    eval draw_key
    set logscale x
    eval power_tics('x')
    set xrange [low:high]
    set xtics offset 0, 0.3
    set yrange [0:1]
    set ytics 0, 0.2
    set grid ytics
    set xlabel axis[measure + 1] offset 0, 0.6
    set ylabel 'share of jobs done' offset 1.2, 0
    # Left of 1 a job is better off than alone with its share.
    if (measure == 2) { set arrow 1 from 1, 0 to 1, 1 nohead linewidth 0.8 dashtype 3 back }
    plot for [p = 1:policies] file index p every ::1 using 2:3 with steps \
             linetype p dashtype 1 + (p - 1) % 8 linewidth 1.4
    set output
}
