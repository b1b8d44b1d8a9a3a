What the command says of itself: manual pages and completion
============================================================

`make install` puts a manual page for each command beside the command, and completions for bash, zsh and fish. Both are
made from the tables that parse the command line.

  $ hetune self man metrics | sed 's/^\(.TH "[^"]*" 1 \).*/\1.../'
  .TH "HETUNE-METRICS" 1 ...
  .SH NAME
  hetune\-metrics \- recompute summary.json from events.csv
  .SH SYNOPSIS
  \fBhetune metrics\fR \fIDIR\fR
  .SH OPTIONS
  .TP
  \fB\-h\fR, \fB\-\-help\fR
  this text
  .SH EXAMPLES
  .nf
  hetune metrics results/run | cmp \- results/run/summary.json
  .fi
  .SH EXIT STATUS
  .TP
  0
  fine
  .TP
  1
  a check failed
  .TP
  2
  wrong use or bad input
  .TP
  3
  files, devices or memory
  .TP
  4
  the policy misbehaved
  .TP
  128 + N
  stopped by signal N
  .SH SEE ALSO
  .BR hetune (1)
  $ mkdir man1; hetune self man -o man1; (cd man1; ls hetune.1 hetune-run.1)
  hetune-run.1
  hetune.1
  $ hetune self man -o absent
  absent/hetune.1: cannot create: No such file or directory
  [3]

Shells ask the command what the last word can become, here that of `hetune run -s policy=her`. Where it is a file, they look
themselves.

  $ hetune self complete -- run -s policy=her
  policy=hermes	equal counts; the trial that has converged furthest runs (reconstructed)
  policy=hermes_v2	hermes with placement by predicted gain and relocation (reconstructed)
  $ hetune self complete -- plot results/demo --kind jct
  jct	JCT by policy: mean, median, 99th percentile
  jct_cdf	distribution of the JCT by policy
  jct_box	the JCT by policy and GPUs wanted
  $ hetune self complete -- run configs/run
  @files .yaml
  $ hetune self complete -- compare ''
  @folders
  $ hetune self complete -- list po
  policies	
  $ hetune self complete -- run --no-such
