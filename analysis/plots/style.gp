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

# Inches; 8 point text in all files. A pixel of the SVG is 1/96 inch, of the PNG 1/288; pdfcairo makes 6 points of 8.
wide(usual) = wanted_width > 0 ? wanted_width : usual
width = wide(7.0)
height = 3.0
svg = 'set terminal svg noenhanced fixed size 96 * width, 96 * height font "Helvetica,10.7" linewidth 1 name "'.name.'"'
pdf = 'set terminal pdfcairo noenhanced size width in, height in font "Helvetica,8" fontscale 0.75 linewidth 1.5'
png = 'set terminal pngcairo noenhanced size 288 * width, 288 * height font "Helvetica,8" fontscale 3 linewidth 3 pointscale 3'
tex = 'set terminal cairolatex pdf input size width in, height in font ",8" fontscale 0.75 linewidth 1.5'
terminal(t) = t eq 'svg' ? svg : t eq 'pdf' ? pdf : t eq 'png' ? png : tex
latex = 0
begin(t) = 'latex = '.(t eq 'latex').'; '.terminal(t).'; set output "'.name.(t eq 'latex' ? '-latex.tex' : '.'.t).'"'
char_in = 0.07

# LaTeX would run what is in a text: texts from the data go through shown_text() where they are drawn from data, else
# through written(), as do our own with such characters. A backslash counts double in data.
escaped(c, b) = c eq '^' ? b.'^{}' : c eq '~' ? b.'~{}' : c eq '<' ? '$<$' : \
                c eq '|' ? '$|$' : c eq '-' ? '{-}' : c eq '$' ? b.'char36{}' : strstrt('&#%_{}', c) ? b.c : c
all_escaped(s, b) = strlen(s) == 0 ? '' : strlen(s) == 1 ? escaped(s, b) : \
                    all_escaped(s[1:strlen(s) / 2], b).all_escaped(s[strlen(s) / 2 + 1:strlen(s)], b)
# As much of a text as a line of the picture holds.
fit(s) = 0.068 * strlen(s) > width - 0.2 ? s[1:int((width - 0.2) / 0.068) - 1].'…' : s
written(s) = latex ? all_escaped(s, '\') : s
shown_text(s) = latex ? all_escaped(s, '\\') : s

# Distinct in grey (10 steps of CIE lightness or more), to the colour-blind, and by dashes; after the eighth policy they
# repeat.
array colour[8] = [0x000000, 0xBE4200, 0x58A9DC, 0x005293, 0xFBB800, 0x6A1040, 0x009870, 0x0D1850]
do for [i = 1:24] {
    set linetype i linecolor rgb colour[(i - 1) % 8 + 1] linewidth 1.2 pointsize 0.45
}
set linetype cycle 24

# A key above the picture, where it hides nothing, in as many columns as there is room for.
key_in = 0.155
key_entry_in = label_chars * char_in + 0.55
key_columns(width) = most_of(1, int((width - 0.5) / key_entry_in))
key_rows(width) = (policies + key_columns(width) - 1) / key_columns(width)
key_height(width) = key_rows(width) * key_in + 0.08
key_x(p, by) = (0.55 + (p - 1) / key_rows(width) * key_entry_in + by) / width
key_y(p) = 1.0 - (0.1 + (p - 1) % key_rows(width) * key_in) / height
draw_key = 'do for [p = 1:policies] {'. \
    'set arrow 10 + p from screen key_x(p, 0), screen key_y(p) to screen key_x(p, 0.3), screen key_y(p) nohead '. \
    'linetype p dashtype 1 + (p - 1) % 8 linewidth 1.4; '. \
    'set label 10 + p written(label[p]) at screen key_x(p, 0.37), screen key_y(p) left }'

unit_name(u) = u == 1 ? 's' : u == 60 ? 'min' : u == 3600 ? 'h' : 'd'
# Digits for reading, and a step that gives an axis of some length at most n tics.
shown(x) = x >= 100 ? sprintf('%.0f', x) : x >= 10 ? sprintf('%.1f', x) : x >= 1 ? sprintf('%.2f', x) : sprintf('%.3f', x)
step_up(x) = x <= 1 ? 1 : x <= 2 ? 2 : x <= 5 ? 5 : 10
step(length, n) = step_of(1.0 * length / n)
step_of(x) = 10.0 ** floor(log10(x)) * step_up(x / 10.0 ** floor(log10(x)))
least_of(a, b) = a < b ? a : b
most_of(a, b) = a > b ? a : b

set border 3 linewidth 0.6
set tics nomirror scale 0.5

# Tics of a logarithmic axis from least to most; a short one has more of them.
array power[20] = ['10⁻⁶', '10⁻⁵', '10⁻⁴', '10⁻³', '10⁻²', '0.1', '1', '10', '100', '10³', '10⁴', '10⁵', '10⁶', '10⁷', '10⁸', '10⁹', '10¹⁰', '10¹¹', '10¹²', '10¹³']
power_tics(axis) = 'set '.axis.'tics (); set m'.axis.'tics 10; do for [e = -6:13] {'. \
    'tic = power[e + 7]; set '.axis.'tics add (tic 10.0 ** e);'. \
    'if (most / least < 60) {'. \
    'tic = sprintf("%g", 2 * 10.0 ** e); set '.axis.'tics add (tic 2 * 10.0 ** e);'. \
    'tic = sprintf("%g", 5 * 10.0 ** e); set '.axis.'tics add (tic 5 * 10.0 ** e) } }'
set xtics textcolor rgb 0x000000
set grid xtics linetype 1 linecolor rgb 0xDDDDDD linewidth 0.4 dashtype solid
