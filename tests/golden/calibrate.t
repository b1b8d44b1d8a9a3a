Calibrations from recorded runs
===============================

A run of additions, which read two tensors of fp32 and write one: about 5 us, and 10 ns for each of 12 bytes an element.

  $ cat > run.json <<'END'
  > {"schema": "hetune-microbench", "version": 1,
  >  "gpu": {"type": "V100", "product": "made up", "memory_gib": 32},
  >  "origin": {"source": "here", "commit": "none", "licence": "none"},
  >  "software": {"method": "by hand"},
  >  "series": [
  >   {"op": "elementwise", "kind": "add", "precision": "fp32", "unit": "us", "columns": ["elements", "time"],
  >    "rows": [[100, 17.2], [1000, 124], [10000, 1210], [50000, 5950]]},
  >   {"op": "copy", "kind": "h2d_pinned", "unit": "GB/s", "columns": ["bytes", "rate"], "rows": [[1000, 3], [1000000, 12.5]]},
  >   {"op": "launch", "kind": "stream", "unit": "us", "columns": ["time"], "rows": [[2.5], [2.25]]},
  >   {"op": "all_reduce", "kind": "pcie", "precision": "fp32", "unit": "us", "columns": ["gpus", "bytes", "time"],
  >    "rows": [[2, 1000, 4], [2, 1000000, 1003], [4, 1000, 10.5]]}]}
  > END
  $ hetune calibrate run.json -o V100.yaml
  V100                                points set aside    p50 %    p90 %  from
  elementwise                  fp32        4         0      0.5      0.8  
  $ cat V100.yaml
  # Made by `hetune calibrate`; keys and units: docs/calibration.md.
  gpu: "V100"
  product: "made up"
  memory_gib: 32
  inputs:
    - {file: "run.json", sha256: 26964e4b887d77c7521e08990a2d655fd564d0cb6e39a8c7fc4a416c18929f79}
  fits:
    - {op: elementwise, precision: fp32, points: 4,
      floor_s: 2.25e-06, launch_s: 5.25004e-06, read_s: 9.9496e-09,
      err_p50: 0.004703, err_p90: 0.007808, work_min: 1200, work_max: 600000, launch_se: 1.51033e-07, read_se: 4.79158e-11}
  figures:
    - {name: copy h2d_pinned, value: 1.25e+10, unit: B/s}
    - {name: launch stream, value: 2.25e-06, unit: s}
    - {name: all_reduce pcie hop, value: 1.5e-06, unit: s}
    - {name: all_reduce pcie bus, value: 1e+09, unit: B/s}

Without -o it goes to standard output; the same input gives the
same bytes.

  $ hetune calibrate run.json | cmp - V100.yaml && echo the same
  the same

Another GPU, of which nothing was measured: bytes go by the nominal bandwidths, and nothing else is different.

  $ cat > nominal.csv <<'END'
  > gpu,product,memory_gib,memory_gbps,fp32_tflops,links
  > V100,,32,900,15.7,nvlink pcie
  > T4,Tesla T4,16,300,8.1,
  > END
  $ hetune calibrate --gpu T4 --donor V100.yaml --nominal nominal.csv
  # Made by `hetune calibrate`; keys and units: docs/calibration.md.
  gpu: "T4"
  product: "Tesla T4"
  memory_gib: 16
  inputs:
    - {file: "V100.yaml", sha256: d4b1b3c5e8081a6b127d0bf5b05bfb2e81b680a01fea1909e78a4ea78c950a18}
  fits:
    - {op: elementwise, precision: fp32, points: 4, from: "V100",
      floor_s: 2.25e-06, launch_s: 5.25004e-06, read_s: 2.98488e-08,
      err_p50: 0.004703, err_p90: 0.007808, work_min: 1200, work_max: 600000, launch_se: 1.51033e-07, read_se: 1.43747e-10}
  figures:
    - {name: copy h2d_pinned, value: 1.25e+10, unit: B/s, from: "V100"}
    - {name: launch stream, value: 2.25e-06, unit: s, from: "V100"}

Its table says that a T4 has no links, so that the all-reduce over PCIe stays behind. Every point with what the fit makes of it:

  $ hetune=$(command -v hetune)
  $ PATH=/nonexistent $hetune calibrate run.json -q -o V100.yaml --plot fits
  gnuplot: cannot start it to draw the data files, which are written: No such file or directory
  [3]
  $ ls fits
  calibration_bytes.gp
  calibration_bytes.tsv
  calibration_fit.gp
  calibration_fit.tsv
  points.tsv
  $ cat fits/points.tsv
  op	precision	work	measured_s	fitted_s	at_floor
  elementwise	fp32	1200	1.72e-05	1.71896e-05	0
  elementwise	fp32	12000	0.000124	0.000124645	0
  elementwise	fp32	120000	0.00121	0.0011992	0
  elementwise	fp32	600000	0.00595	0.00597501	0
