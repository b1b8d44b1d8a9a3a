Malformed CSV: what the text layer refuses, with its place
==========================================================

All of these are the trace of one run.

  $ cat > run.yaml <<END
  > cluster: {gpu_types: {gpu: {}}, nodes: [{type: gpu, gpus: 2}]}
  > trace: jobs.csv
  > policy: fifo
  > END

csv-empty

  $ printf '' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:1:1: error: no line with the names of the columns
  [2]

csv-only-order-mark

  $ printf '\357\273\277' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:1:1: error: no line with the names of the columns
  [2]

csv-only-comments

  $ cat > jobs.csv <<'END'
  > # nothing
  > # here
  > END
  $ hetune validate run.yaml
  jobs.csv:3:1: error: no line with the names of the columns
      3 | # here
        | ^
  [2]

csv-empty-first-line

  $ cat > jobs.csv <<'END'
  > 
  > submit_s,gpus,duration_s
  > 0,1,60
  > END
  $ hetune validate run.yaml
  jobs.csv:1:1: error: an empty line; wanted the names of the columns
      1 | 
        | ^
  [2]

csv-column-without-name

  $ cat > jobs.csv <<'END'
  > submit_s,,duration_s
  > 0,1,60
  > END
  $ hetune validate run.yaml
  jobs.csv:1:10: error: a column without a name
      1 | submit_s,,duration_s
        |          ^
  [2]

csv-first-column-without-name

  $ cat > jobs.csv <<'END'
  > ,gpus,duration_s
  > 0,1,60
  > END
  $ hetune validate run.yaml
  jobs.csv:1:1: error: a column without a name
      1 | ,gpus,duration_s
        | ^
  [2]

csv-last-column-without-name

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,duration_s,
  > 0,1,60,
  > END
  $ hetune validate run.yaml
  jobs.csv:1:26: error: a column without a name
      1 | submit_s,gpus,duration_s,
        |                          ^
  [2]

csv-quoted-empty-name

  $ cat > jobs.csv <<'END'
  > submit_s,"",duration_s
  > 0,1,60
  > END
  $ hetune validate run.yaml
  jobs.csv:1:11: error: a column without a name
      1 | submit_s,"",duration_s
        |           ^
  [2]

csv-repeated-column

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,gpus
  > 0,1,60
  > END
  $ hetune validate run.yaml
  jobs.csv:1:15: error: column 'gpus' appears twice; the first is column 2
      1 | submit_s,gpus,gpus
        |               ^
  [2]

csv-repeated-column-quoted

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,"gpus"
  > 0,1,60
  > END
  $ hetune validate run.yaml
  jobs.csv:1:16: error: column 'gpus' appears twice; the first is column 2
      1 | submit_s,gpus,"gpus"
        |                ^
  [2]

csv-utf16-le

  $ printf '\377\376s\000,\000g\000\n\000' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:1:1: error: the text is UTF-16; wanted UTF-8
  [2]

csv-utf16-be

  $ printf '\376\377\000s\000,\000g\000\n' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:1:1: error: the text is UTF-16; wanted UTF-8
  [2]

csv-utf16-without-mark

  $ printf 's\000,\000g\000\n\000' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:1:2: error: a NUL character
      1 | s?,?g?
        |  ^
  [2]

csv-header-bad-utf8

  $ printf 'submit_s,gpus\377,duration_s\n' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:1:14: error: byte 0xFF is not valid UTF-8
      1 | submit_s,gpus?,duration_s
        |              ^
  [2]

csv-header-open-quote

  $ cat > jobs.csv <<'END'
  > submit_s,"gpus,duration_s
  > 0,1,60
  > END
  $ hetune validate run.yaml
  jobs.csv:1:10: error: a quote that is not closed
      1 | submit_s,"gpus,duration_s
        |          ^
  [2]

csv-header-lone-cr

  $ printf 'submit_s,gpus,duration_s\0150,1,60\015' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:1:25: error: a carriage return without a line feed
      1 | submit_s,gpus,duration_s?0,1,60
        |                         ^
  [2]

csv-header-nul

  $ printf 'submit_s,gp\000us,duration_s\n' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:1:12: error: a NUL character
      1 | submit_s,gp?us,duration_s
        |            ^
  [2]

csv-comment-control

  $ printf '# \033[31m\nsubmit_s,gpus,duration_s\n' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:1:3: error: character U+001B is not allowed in a text
      1 | # ?[31m
        |   ^
  [2]

csv-comment-bad-utf8

  $ printf '# caf\351\nsubmit_s,gpus,duration_s\n' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:1:6: error: byte 0xE9 is not valid UTF-8
      1 | # caf?
        |      ^
  [2]

csv-comment-lone-cr

  $ printf '# a\015b\nsubmit_s,gpus,duration_s\n' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:1:4: error: a carriage return without a line feed
      1 | # a?b
        |    ^
  [2]

csv-cell-too-few

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,duration_s
  > 0,1,60
  > 1,1
  > END
  $ hetune validate run.yaml
  jobs.csv:3:4: error: 2 cells in this row; the header has 3
      3 | 1,1
        |    ^
  [2]

csv-cell-too-many

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,duration_s
  > 0,1,60,x
  > END
  $ hetune validate run.yaml
  jobs.csv:2:8: error: 4 cells in this row; the header has 3
      2 | 0,1,60,x
        |        ^
  [2]

csv-comma-at-the-end

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,duration_s
  > 0,1,60,
  > END
  $ hetune validate run.yaml
  jobs.csv:2:8: error: 4 cells in this row; the header has 3
      2 | 0,1,60,
        |        ^
  [2]

csv-one-cell

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,duration_s
  > 0
  > END
  $ hetune validate run.yaml
  jobs.csv:2:2: error: 1 cell in this row; the header has 3
      2 | 0
        |  ^
  [2]

csv-blank-line

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,duration_s
  > 0,1,60
  >  
  > 1,1,60
  > END
  $ hetune validate run.yaml
  jobs.csv:3:2: error: 1 cell in this row; the header has 3
      3 |  
        |  ^
  [2]

csv-empty-line-between

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,duration_s
  > 0,1,60
  > 
  > 1,1,60
  > END
  $ hetune validate run.yaml
  jobs.csv:4:1: error: empty lines before this row
      4 | 1,1,60
        | ^
  [2]

csv-empty-line-behind-header

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,duration_s
  > 
  > 0,1,60
  > END
  $ hetune validate run.yaml
  jobs.csv:3:1: error: empty lines before this row
      3 | 0,1,60
        | ^
  [2]

csv-comment-behind-header

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,duration_s
  > # a note
  > 0,1,60
  > END
  $ hetune validate run.yaml
  jobs.csv:2:9: error: 1 cell in this row; the header has 3
      2 | # a note
        |         ^
  [2]

csv-semicolons

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,duration_s
  > 0;1;60
  > END
  $ hetune validate run.yaml
  jobs.csv:2:7: error: 1 cell in this row; the header has 3
      2 | 0;1;60
        |       ^
  [2]

csv-tabs

  $ printf 'submit_s,gpus,duration_s\n0\0111\01160\n' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:2:7: error: 1 cell in this row; the header has 3
      2 | 0 1 60
        |       ^
  [2]

csv-decimal-comma

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,duration_s
  > 0,5,1,60
  > END
  $ hetune validate run.yaml
  jobs.csv:2:7: error: 4 cells in this row; the header has 3
      2 | 0,5,1,60
        |       ^
  [2]

csv-nul

  $ printf 'submit_s,gpus,duration_s\n0,1,6\0000\n' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:2:6: error: a NUL character
      2 | 0,1,6?0
        |      ^
  [2]

csv-nul-in-quotes

  $ printf 'submit_s,gpus,duration_s\n0,1,"6\0000"\n' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:2:7: error: a NUL character
      2 | 0,1,"6?0"
        |       ^
  [2]

csv-bad-utf8

  $ printf 'submit_s,gpus,duration_s\n0,1,6\377\n' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:2:6: error: byte 0xFF is not valid UTF-8
      2 | 0,1,6?
        |      ^
  [2]

csv-utf8-cut

  $ printf 'submit_s,gpus,duration_s\n0,1,\342\202\n' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:2:5: error: byte 0xE2 is not valid UTF-8
      2 | 0,1,??
        |     ^
  [2]

csv-utf8-cut-at-end

  $ printf 'submit_s,gpus,duration_s\n0,1,\342\202' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:2:5: error: byte 0xE2 is not valid UTF-8
      2 | 0,1,??
        |     ^
  [2]

csv-utf8-overlong

  $ printf 'submit_s,gpus,duration_s\n0,1,\300\257\n' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:2:5: error: byte 0xC0 is not valid UTF-8
      2 | 0,1,??
        |     ^
  [2]

csv-utf8-surrogate

  $ printf 'submit_s,gpus,duration_s\n0,1,\355\240\200\n' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:2:5: error: byte 0xED is not valid UTF-8
      2 | 0,1,???
        |     ^
  [2]

csv-lone-cr

  $ printf 'submit_s,gpus,duration_s\n0,1,60\0151,1,60\015' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:2:7: error: a carriage return without a line feed
      2 | 0,1,60?1,1,60
        |       ^
  [2]

csv-cr-inside

  $ printf 'submit_s,gpus,duration_s\n0,\0151,60\n' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:2:3: error: a carriage return without a line feed
      2 | 0,?1,60
        |   ^
  [2]

csv-cr-cr-lf

  $ printf 'submit_s,gpus,duration_s\n0,1,60\015\015\n' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:2:7: error: a carriage return without a line feed
      2 | 0,1,60?
        |       ^
  [2]

csv-cr-in-quotes

  $ printf 'submit_s,gpus,duration_s\n0,1,"6\0150"\n' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:2:7: error: a carriage return without a line feed
      2 | 0,1,"6?0"
        |       ^
  [2]

csv-cr-at-the-end

  $ printf 'submit_s,gpus,duration_s\n0,1,60\015' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:2:7: error: a carriage return without a line feed
      2 | 0,1,60
        |       ^
  [2]

csv-open-quote

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,duration_s
  > 0,1,"60
  > 1,1,60
  > END
  $ hetune validate run.yaml
  jobs.csv:2:5: error: a quote that is not closed
      2 | 0,1,"60
        |     ^
  [2]

csv-open-quote-at-the-end

  $ printf 'submit_s,gpus,duration_s\n0,1,"' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:2:5: error: a quote that is not closed
      2 | 0,1,"
        |     ^
  [2]

csv-open-doubled-quote

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,duration_s
  > 0,1,"60""
  > END
  $ hetune validate run.yaml
  jobs.csv:2:5: error: a quote that is not closed
      2 | 0,1,"60""
        |     ^
  [2]

csv-quote-inside

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,duration_s
  > 0,1,6"0
  > END
  $ hetune validate run.yaml
  jobs.csv:2:6: error: a quote inside of a cell that has none in front
      2 | 0,1,6"0
        |      ^
  [2]

csv-quote-behind-blank

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,duration_s
  > 0,1, "60"
  > END
  $ hetune validate run.yaml
  jobs.csv:2:6: error: a quote inside of a cell that has none in front
      2 | 0,1, "60"
        |      ^
  [2]

csv-text-behind-quote

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,duration_s
  > 0,1,"6"0
  > END
  $ hetune validate run.yaml
  jobs.csv:2:8: error: text behind a closing quote
      2 | 0,1,"6"0
        |        ^
  [2]

csv-blank-behind-quote

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,duration_s
  > 0,1,"60" 
  > END
  $ hetune validate run.yaml
  jobs.csv:2:9: error: text behind a closing quote
      2 | 0,1,"60" 
        |         ^
  [2]

csv-backslash-quote

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,duration_s
  > 0,1,"6\"0"
  > END
  $ hetune validate run.yaml
  jobs.csv:2:9: error: text behind a closing quote
      2 | 0,1,"6\"0"
        |         ^
  [2]

csv-single-quotes

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,duration_s
  > 0,1,'6,0'
  > END
  $ hetune validate run.yaml
  jobs.csv:2:8: error: 4 cells in this row; the header has 3
      2 | 0,1,'6,0'
        |        ^
  [2]

csv-many-faults

  $ cat > jobs.csv <<'END'
  > submit_s,gpus,duration_s
  > 0,1
  > 1,1,60,x
  > 2,1,60
  > 3
  > END
  $ hetune validate run.yaml
  jobs.csv:2:4: error: 2 cells in this row; the header has 3
      2 | 0,1
        |    ^
  jobs.csv:3:8: error: 4 cells in this row; the header has 3
      3 | 1,1,60,x
        |        ^
  jobs.csv:5:2: error: 1 cell in this row; the header has 3
      5 | 3
        |  ^
  [2]

csv-gzip

  $ printf '\037\213\010\000\000\000\000\000\n' > jobs.csv
  $ hetune validate run.yaml
  jobs.csv:1:1: error: the file is packed by gzip; unpack it first
  [2]
