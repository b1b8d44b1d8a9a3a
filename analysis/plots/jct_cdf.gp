# Steps on a logarithmic axis. The key is above, so that it hides nothing.
width = 3.33
key_in = 0.16
height = 2.2 + policies * key_in
array power[13] = ['10⁻³', '10⁻²', '0.1', '1', '10', '100', '10³', '10⁴', '10⁵', '10⁶', '10⁷', '10⁸', '10⁹']
low = 10 ** floor(log10(least))
high = 10 ** ceil(log10(most))
if (high == low) { high = 10 * low }

do for [ending in 'svg pdf'] {
    eval begin(ending)
    set tmargin at screen 1.0 - (policies * key_in + 0.12) / height
    set bmargin at screen 0.45 / height
    set lmargin at screen 0.52 / width
    set rmargin at screen 1.0 - 0.12 / width
    set key at screen 0.52 / width, screen 1.0 - 0.06 / height left top Left reverse \
            vertical maxrows policies samplen 3 spacing key_in * 72 / 8 / 1.35
    set logscale x
    set xrange [low:high]
    set xtics () offset 0, 0.3
    do for [e = -3:9] { text = power[e + 4]; set xtics add (text 10.0 ** e) }
    set yrange [0:1]
    set ytics 0, 0.2
    set grid ytics
    set xlabel 'JCT (s)' offset 0, 0.6
    set ylabel 'share of jobs done' offset 1.2, 0
    plot for [p = 1:policies] file index p every ::1 using 2:3 with steps \
             linetype p dashtype 1 + (p - 1) % 8 linewidth 1.4 title label[p]
    set output
}
