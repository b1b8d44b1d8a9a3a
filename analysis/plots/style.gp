# Shared by all pictures: data, sizes, colours. Every foreign text comes from the data file, and is
# drawn as it is (noenhanced).
set encoding utf8
set datafile separator "\t"
set datafile commentschars ""
file = name.'.tsv'

# gnuplot 5.4 crashes on labels that are all at NaN: what has no label gets an empty one somewhere.

# Labels of the policies, from the first block of the data.
array label[policies]
label_chars = 0
do for [p = 1:policies] {
    stats file index 0 every ::p::p using (label[p] = stringcolumn(2), 1) nooutput
    if (strlen(label[p]) > label_chars) { label_chars = strlen(label[p]) }
}

# Inches; 8 point text in both files. A pixel of the SVG is 1/96 inch; pdfcairo makes 6 points of 8.
width = 7.0
height = 3.0
svg = 'set terminal svg noenhanced fixed size 96 * width, 96 * height font "Helvetica,10.7" linewidth 1 name "'.name.'"'
pdf = 'set terminal pdfcairo noenhanced size width in, height in font "Helvetica,8" fontscale 0.75 linewidth 1.5'
begin(ending) = (ending eq 'svg' ? svg : pdf).'; set output "'.name.'.'.ending.'"'
char_in = 0.066

# Distinct in hue, in grey and by dashes; after the eighth policy they repeat.
array colour[8] = [0x000000, 0xD55E00, 0x0072B2, 0xE69F00, 0x009E73, 0x56B4E9, 0x882255, 0x999999]
do for [i = 1:24] {
    set linetype i linecolor rgb colour[(i - 1) % 8 + 1] linewidth 1.2 pointsize 0.45
}
set linetype cycle 24

# A key of one column above the picture, where it hides nothing.
key_in = 0.155
key_height = policies * key_in + 0.08
key_spacing(ending) = ending eq 'svg' ? 0.92 : 1.2

unit_name(u) = u == 1 ? 's' : u == 60 ? 'min' : u == 3600 ? 'h' : 'd'
# Digits for reading, and a step that gives an axis of some length at most n tics.
shown(x) = x >= 100 ? sprintf('%.0f', x) : x >= 10 ? sprintf('%.1f', x) : x >= 1 ? sprintf('%.2f', x) : sprintf('%.3f', x)
step_up(x) = x <= 1 ? 1 : x <= 2 ? 2 : x <= 5 ? 5 : 10
step(length, n) = 10 ** floor(log10(length / n)) * step_up(length / n / 10 ** floor(log10(length / n)))
least_of(a, b) = a < b ? a : b
most_of(a, b) = a > b ? a : b

set border 3 linewidth 0.6
set tics nomirror scale 0.5

# Tics of a logarithmic axis from least to most; a short one has more of them.
array power[13] = ['10⁻³', '10⁻²', '0.1', '1', '10', '100', '10³', '10⁴', '10⁵', '10⁶', '10⁷', '10⁸', '10⁹']
if (exists('least')) {
    set xtics ()
    do for [e = -3:9] { text = power[e + 4]; set xtics add (text 10.0 ** e) }
    if (most / least < 60) {
        do for [e = -2:6] {
            text = sprintf('%g', 2 * 10.0 ** e); set xtics add (text 2 * 10.0 ** e)
            text = sprintf('%g', 5 * 10.0 ** e); set xtics add (text 5 * 10.0 ** e)
        }
    }
    set mxtics 10
}
set xtics textcolor rgb 0x000000
set grid xtics linetype 1 linecolor rgb 0xDDDDDD linewidth 0.4 dashtype solid
