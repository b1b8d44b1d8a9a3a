# SPDX-License-Identifier: GPL-3.0-or-later
# The colours of a list (name=..., then lines of 0xRRGGBB): any two differ by at least `grey` in CIE lightness, which is
# what is left in grey, and by at least `seen` in CIE 1976 colour difference as people without one kind of cones see
# them (Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB). Prints what does not, and the least figures.
function linear(c) { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ^ 2.4 }
function root(t) { return t > 0.008856 ? t ^ (1 / 3) : 7.787 * t + 16 / 116 }
function part(c) { return c < 0 ? 0 : c > 1 ? 1 : c }
function lab(i, r, g, b,   x, y, z) {
    x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047)
    y = root(0.2126 * r + 0.7152 * g + 0.0722 * b)
    z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883)
    L[i] = 116 * y - 16; A[i] = 500 * (x - y); B[i] = 200 * (y - z)
}
function hex(s,   n, k) { for (k = 1; k <= length(s); k++) n = 16 * n + index("0123456789ABCDEF", toupper(substr(s, k, 1))) - 1; return n }
function abs(x) { return x < 0 ? -x : x }
BEGIN {
    split("1 0 0 0 1 0 0 0 1", eye0)
    split("0.152286 1.052583 -0.204868 0.114503 0.786281 0.099216 -0.003882 -0.048116 1.051998", eye1)
    split("0.367322 0.860646 -0.227968 0.280085 0.672501 0.047413 -0.01182 0.04294 0.968881", eye2)
    split("1.255528 -0.076749 -0.178779 -0.078411 0.930809 0.147602 0.004733 0.691367 0.3039", eye3)
    for (k = 1; k <= 9; k++) { m[0, k] = eye0[k]; m[1, k] = eye1[k]; m[2, k] = eye2[k]; m[3, k] = eye3[k] }
    least_grey = least_seen = 1000
}
{ n++; name[n] = $1; r[n] = linear(hex(substr($1, 3, 2))); g[n] = linear(hex(substr($1, 5, 2))); b[n] = linear(hex(substr($1, 7, 2))) }
END {
    for (eye = 0; eye < 4; eye++) {
        for (i = 1; i <= n; i++)
            lab(i, part(m[eye, 1] * r[i] + m[eye, 2] * g[i] + m[eye, 3] * b[i]), part(m[eye, 4] * r[i] + m[eye, 5] * g[i] + m[eye, 6] * b[i]),
                part(m[eye, 7] * r[i] + m[eye, 8] * g[i] + m[eye, 9] * b[i]))
        for (i = 1; i <= n; i++)
            for (k = 1; k < i; k++) {
                d = eye == 0 ? abs(L[i] - L[k]) : sqrt((L[i] - L[k]) ^ 2 + (A[i] - A[k]) ^ 2 + (B[i] - B[k]) ^ 2)
                if (eye == 0 && d < least_grey) least_grey = d
                if (eye > 0 && d < least_seen) least_seen = d
                if (d < (eye == 0 ? grey : seen)) { bad = 1; printf "%s and %s: %s, difference %.1f\n", name[i], name[k], eye ? "colour-blind kind " eye : "grey", d }
            }
    }
    printf "%d colours, least difference %.1f in grey, %.1f to the colour-blind\n", n, least_grey, least_seen
    exit bad || n < 2
}
