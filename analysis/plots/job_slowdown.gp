# A group of bars a job, one bar a policy, of one seed; dashed: the largest of a policy.
stats file index 0 every ::1::1 using (seed = $4) nooutput
height = 2.0 + key_height(width)
slot = 0.8 / policies
at(p, j) = j + (p - (policies + 1) / 2.0) * slot
left = 0.55 / width

do for [ending in terminals] {
    eval begin(ending)
    set tmargin at screen 1.0 - key_height(width) / height
    set bmargin at screen 0.42 / height
    set lmargin at screen left
    set rmargin at screen 1.0 - 0.12 / width
    unset key
    eval draw_key
    set xrange [-0.6:jobs - 0.4]
    set yrange [0:1.08 * most]
    unset grid
    set grid ytics linetype 1 linecolor rgb 0xDDDDDD linewidth 0.4 dashtype solid
    set xtics 0, most_of(1, step(jobs, width / 0.3)) scale 0 offset 0, 0.3
    set ytics 0, step(most, 5)
    set xlabel sprintf('job (seed %.0f%s)', seed, all_jobs > jobs ? sprintf(', the first %d of %d', jobs, all_jobs) : '') offset 0, 0.6
    set ylabel 'slowdown' offset 1.2, 0
    set style fill solid 0.75 noborder
    set boxwidth 0.9 * slot
    set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead linewidth 0.6 dashtype 3 back
    plot for [p = 1:policies] file index p every ::1 using (at(p, $2)):3 with boxes linetype p, \
         for [p = 1:policies] file index p every ::1 using ($2 + ($2 == 0 ? -0.6 : $2 == jobs - 1 ? 0.6 : 0)):4 with lines \
             linetype p dashtype 2 linewidth 1
    set output
}
