# A row a GPU, from above, parted into seats where several jobs share it; a box a stretch of time.
head_in = width < 5 ? 0.6 : 0.44
height = head_in + gpus * row_in + 0.42
left = most_of(0.4, line_chars * char_in + 0.12) / width
stats file index 0 every ::1::1 using (seed = $4) nooutput

# Boxes are as high as their GPUs, with a gap between rows that have room for one; what is narrower
# than a hair is not drawn, as some viewers would show it a whole pixel wide.
gap = row_in > 0.1 ? 0.08 / seats : 0
hair = last / 2500
t(x) = x / unit
part = 1.0 / seats
low(g, s) = seats == 1 ? g - 0.5 + gap : g - 0.5 + s * part + gap
high(g, s) = seats == 1 ? g + 0.5 - gap : g - 0.5 + (s + 1) * part - gap
in = seats == 1 ? 0 : 7
seen(a, b, is) = is && (b - a > hair) ? t(a) : NaN

do for [ending in terminals] {
    eval begin(ending)
    set tmargin at screen 1.0 - head_in / height
    set bmargin at screen 0.42 / height
    set lmargin at screen left
    set rmargin at screen 1.0 - 0.12 / width
    set xrange [0:last / unit]
    set yrange [gpus - 0.5:-0.5]
    set xtics 0, step(last / unit, width / 0.7) offset 0, 0.3
    unset ytics
    set border 1
    if (lines == 0) { set ytics; set border 3 }
    set xlabel 'time ('.unit_name(unit).')' offset 0, 0.6
    do for [g = 1:(seats > 1 && gpus <= 64 ? gpus - 1 : 0)] {
        set arrow 100 + g from 0, g - 0.5 to last / unit, g - 0.5 nohead linewidth 0.4 linecolor rgb 0x999999 front
    }
    set label 1 written(label[1].sprintf(', seed %.0f; numbers are jobs', seed).(cut ? sprintf(', the first '.(last > 0.01 * whole ? '%.0f' : '%.2g').' %% of the run', 100 * last / whole) : '')) \
            at screen left, screen 1.0 - 0.12 / height
    set key at screen 1.0 - 0.12 / width, screen 1.0 - 0.18 / height right top horizontal samplen 1 \
            spacing 1
    set style fill solid 1.0 noborder
    plot file index 3 every ::1 using (0):2:(shown_text(stringcolumn(1))) with labels right offset -0.5, 0 notitle, \
         file index 1 every ::1 using (seen($2, $3, $6 == 0)):4:(t($2)):(t($3)):(low($4, column(in))):(high($5, column(in))) \
             with boxxyerror linecolor rgb 0x0B4F8A linewidth 0.25 fillstyle solid 1.0 border rgb 0xFFFFFF \
             title (has_good ? 'good trial' : ''), \
         file index 1 every ::1 using (seen($2, $3, $6 == 1)):4:(t($2)):(t($3)):(low($4, column(in))):(high($5, column(in))) \
             with boxxyerror linecolor rgb 0xA9C7E3 linewidth 0.25 fillstyle solid 1.0 border rgb 0xFFFFFF \
             title (!has_other ? '' : trials ? 'other trial' : 'running'), \
         file index 1 every ::1 using (seen($2, $3, $6 == 2)):4:(t($2)):(t($3)):(low($4, column(in))):(high($5, column(in))) \
             with boxxyerror linecolor rgb 0xD04E00 title (has_setup ? 'set-up' : ''), \
         file index 1 every ::1 using (seen($2, $3, $6 == 3)):4:(t($2)):(t($3)):(low($4, column(in))):(high($5, column(in))) \
             with boxxyerror linecolor rgb 0xFFE14D title (has_relocation ? 'relocation' : ''), \
         file index 1 every ::1 using (seen($2, $3, $6 == 4)):4:(t($2)):(t($3)):(low($4, column(in))):(high($5, column(in))) \
             with boxxyerror linecolor rgb 0x000000 title (has_save ? 'save' : ''), \
         file index 1 every ::1 using (seen($2, $3, $6 == 5)):4:(t($2)):(t($3)):(low($4, column(in))):(high($5, column(in))) \
             with boxxyerror linecolor rgb 0x777777 fillstyle pattern 2 title (has_lost ? 'lost progress' : ''), \
         file index 2 every ::1 using (t($2)):3:1:($4 == 0 ? 0xFFFFFF : 0x000000) \
             with labels textcolor rgb variable notitle
    set output
}
