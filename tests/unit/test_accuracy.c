/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include <criterion/criterion.h>

#include "analysis/accuracy.h"

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

Test(accuracy, duties)
{
    double speed[2];

    for (double eta = 0; eta <= 2; eta += 0.5) {
        double stretch = 2 / (1 + eta / 2), c = stretch - 1;
        accuracy_duties((const double[2]){1, 1}, eta, speed);
        cr_expect(near(speed[0], 1 / stretch) && near(speed[1], 1 / stretch));
        accuracy_duties((const double[2]){0, 1}, eta, speed);
        cr_expect(speed[0] == 1 && speed[1] == 1, "one that is never there disturbs nobody");
        for (double u = 0.1; u < 1; u += 0.2) {
            /* Equal jobs: u c d^2 + (1 - u c) d - u = 0. */
            double b = 1 - u * c, d = (-b + sqrt(b * b + 4 * u * u * c)) / (2 * u * c);
            if (c == 0)
                d = u;
            accuracy_duties((const double[2]){u, u}, eta, speed);
            cr_expect(near(speed[0], 1 / (u * (1 + d * c) + 1 - u)), "eta %g, u %g", eta, u);
            cr_expect_eq(speed[0], speed[1]);
        }
    }
}
