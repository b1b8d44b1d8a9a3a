# A row a job, from above, in the order of submission; a box a stretch of time.
height = 0.6 + jobs * row_in + 0.42
left = 0.5 / width
stats file index 0 every ::1::1 using (seed = $4) nooutput
hair = last / 2500
t(x) = x / unit
seen(a, b, is) = is && (b - a > hair) ? t(a) : NaN
gap = row_in > 0.08 ? 0.1 : 0
# What has no GPUs is a thinner bar, and thinnest before the first start.
half(k) = k == 2 ? 0.08 : k == 3 ? 0.2 : 0.5 - gap
array colour_of[7] = [0x0B4F8A, 0xBBBBBB, 0xA9C7E3, 0xD04E00, 0xFFE14D, 0x000000, 0x5A0A3C]
array name_of[7] = ['running', 'waiting', 'suspended', 'set-up', 'relocating', 'save', 'lost progress']

do for [ending in terminals] {
    eval begin(ending)
    set tmargin at screen 1.0 - (width < 5 ? 0.58 : 0.44) / height
    set bmargin at screen 0.42 / height
    set lmargin at screen left
    set rmargin at screen 1.0 - 0.12 / width
    set xrange [0:last / unit]
    set yrange [jobs - 0.5:-0.5]
    set xtics 0, step(last / unit, width / 0.7) offset 0, 0.3
    set ytics 0, most_of(1, step(jobs, jobs * row_in / 0.2)) scale 0
    set border 1
    set ylabel 'job' offset 1.4, 0
    set xlabel 'time ('.unit_name(unit).')' offset 0, 0.6
    set label 1 written(label[1].sprintf(', seed %.0f', seed).(jobs < all_jobs ? sprintf(', the first %d of %d jobs', jobs, all_jobs) : '')) \
            at screen left, screen 1.0 - 0.12 / height
    set key at screen 1.0 - 0.12 / width, screen 1.0 - 0.18 / height right top horizontal samplen 1 spacing 1
    set style fill solid 1.0 noborder
    plot for [k = 1:7] file index 1 every ::1 using (seen($2, $3, $4 == k - 1)):1:(t($2)):(t($3)):($1 - half(k)):($1 + half(k)) \
             with boxxyerror linecolor rgb colour_of[k] fillstyle solid 1.0 title (value(sprintf('has_%d', k - 1)) ? name_of[k] : '')
    set output
}
