# A row a policy; GPUs (of shared ones: those on which some job computes, and their work) at the left, waiting jobs at the right.
stats file index 0 every ::1::1 using (seed = $4) nooutput
seed_text = seeds > 1 ? sprintf(' (seed %.0f)', seed) : ''
row_in = policies == 1 ? 1.5 : 0.85
head_in = width < 5 ? 0.3 : 0.14
height = head_in + policies * row_in + 0.42
left = 0.45 / width
half = 0.5 + left / 2
top(p) = 1.0 - (head_in + (p - 1) * row_in + 0.2) / height
bottom(p) = 1.0 - (head_in + p * row_in) / height

do for [ending in terminals] {
    eval begin(ending)
    set multiplot
    set xrange [0:last / unit]
    set style fill solid 1.0 noborder
    set label 1 'GPUs'.seed_text at screen left, screen 1.0 - (head_in - 0.04) / height
    do for [p = 1:policies] {
        set tmargin at screen top(p)
        set bmargin at screen bottom(p)
        if (p == policies) {
            set xlabel 'time ('.unit_name(unit).')' offset 0, 0.6
            set xtics 0, step(last / unit, width) offset 0, 0.3 format '%g'
        } else {
            unset xlabel
            set xtics 0, step(last / unit, width) format ''
        }
        set lmargin at screen left
        set rmargin at screen half - 0.06 / width
        set yrange [0:gpus]
        set ytics 0, most_of(1, step(gpus, 3))
        set label 2 written(label[p]) at graph 0, graph 1 offset 0, 0.6
        if (p == 1) {
            set key at screen half, screen 1.0 - 0.02 / height right top horizontal samplen 1 \
                    spacing 1
        } else { unset key }
        plot file index p every ::1 using ($2 / unit):3 with fillsteps linecolor rgb (shared ? 0x0B4F8A : 0xD04E00) title (shared ? 'computing' : 'set-up'), \
             '' index p every ::1 using ($2 / unit):4 with fillsteps linecolor rgb 0xA9C7E3 title (shared ? 'work' : 'running')
        unset label 1
        unset key
        set lmargin at screen half + 0.4 / width
        set rmargin at screen 1.0 - 0.12 / width
        set yrange [0:1.05 * waiting]
        set ytics 0, most_of(1, step(waiting, 3))
        if (p == 1) { set label 1 'jobs waiting'.seed_text at screen half + 0.4 / width, screen 1.0 - (head_in - 0.04) / height }
        unset label 2
        plot file index p every ::1 using ($2 / unit):5 with steps linetype 1 linewidth 1
        unset label 1
    }
    unset multiplot
    set output
}
