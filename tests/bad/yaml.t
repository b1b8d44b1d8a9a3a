Malformed YAML: what the text layer refuses, with its place
===========================================================

yaml-repeated-key

  $ cat > run.yaml <<'END'
  > seed: 1
  > seed: 2
  > END
  $ hetune validate run.yaml
  run.yaml:2:1: error: key 'seed' appears twice; the first is at line 1
      2 | seed: 2
        | ^
  [2]

yaml-repeated-key-quoted

  $ cat > run.yaml <<'END'
  > seed: 1
  > "seed": 2
  > END
  $ hetune validate run.yaml
  run.yaml:2:1: error: key 'seed' appears twice; the first is at line 1
      2 | "seed": 2
        | ^
  [2]

yaml-repeated-key-nested

  $ cat > run.yaml <<'END'
  > cluster:
  >   nodes: 1
  >   nodes: 2
  > END
  $ hetune validate run.yaml
  run.yaml:3:3: error: key 'nodes' appears twice; the first is at line 2
      3 |   nodes: 2
        |   ^
  [2]

yaml-repeated-key-flow

  $ cat > run.yaml <<'END'
  > cluster: {nodes: 1, nodes: 2}
  > END
  $ hetune validate run.yaml
  run.yaml:1:21: error: key 'nodes' appears twice; the first is at line 1
      1 | cluster: {nodes: 1, nodes: 2}
        |                     ^
  [2]

yaml-repeated-key-thrice

  $ cat > run.yaml <<'END'
  > seed: 1
  > seed: 2
  > seed: 3
  > END
  $ hetune validate run.yaml
  run.yaml:2:1: error: key 'seed' appears twice; the first is at line 1
      2 | seed: 2
        | ^
  run.yaml:3:1: error: key 'seed' appears twice; the first is at line 1
      3 | seed: 3
        | ^
  [2]

yaml-repeated-key-escaped

  $ cat > run.yaml <<'END'
  > seed: 1
  > "\x73eed": 2
  > END
  $ hetune validate run.yaml
  run.yaml:2:1: error: key 'seed' appears twice; the first is at line 1
      2 | "\x73eed": 2
        | ^
  [2]

yaml-repeated-anchor

  $ cat > run.yaml <<'END'
  > a: &x 1
  > b: &x 2
  > END
  $ hetune validate run.yaml
  run.yaml:2:4: error: anchor '&x' appears twice; the first is at line 1
      2 | b: &x 2
        |    ^
  [2]

yaml-repeated-anchor-on-map

  $ cat > run.yaml <<'END'
  > a: &x {k: 1}
  > b: &x [2]
  > END
  $ hetune validate run.yaml
  run.yaml:2:4: error: anchor '&x' appears twice; the first is at line 1
      2 | b: &x [2]
        |    ^
  [2]

yaml-unknown-alias

  $ cat > run.yaml <<'END'
  > seed: *none
  > END
  $ hetune validate run.yaml
  run.yaml:1:7: error: alias '*none' names no anchor before it
      1 | seed: *none
        |       ^
  [2]

yaml-alias-before-anchor

  $ cat > run.yaml <<'END'
  > a: *x
  > b: &x 1
  > END
  $ hetune validate run.yaml
  run.yaml:1:4: error: alias '*x' names no anchor before it
      1 | a: *x
        |    ^
  [2]

yaml-alias-inside-itself

  $ cat > run.yaml <<'END'
  > a: &x [1, *x]
  > END
  $ hetune validate run.yaml
  run.yaml:1:11: error: alias '*x' stands inside of what it names
      1 | a: &x [1, *x]
        |           ^
  [2]

yaml-alias-as-key

  $ cat > run.yaml <<'END'
  > a: &x k
  > *x : 1
  > END
  $ hetune validate run.yaml
  run.yaml:2:1: error: a key that is no plain text
      2 | *x : 1
        | ^
  [2]

yaml-alias-bomb

  $ cat > run.yaml <<'END'
  > a: &a [x,x,x,x,x,x,x,x,x,x]
  > b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]
  > c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]
  > d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]
  > e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]
  > END
  $ hetune validate run.yaml
  run.yaml:5:29: error: more than 100000 values, aliases followed
      5 | e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]
        |                             ^
  [2]

yaml-alias-too-deep

  $ cat > run.yaml <<'END'
  > a: &a [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
  > b: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[*a]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
  > END
  $ hetune validate run.yaml
  run.yaml:2:45: error: nested deeper than 64
      2 | b: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[*a]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
        |                                             ^
  [2]

yaml-tag-int

  $ cat > run.yaml <<'END'
  > seed: !!int 5
  > END
  $ hetune validate run.yaml
  run.yaml:1:7: error: tag 'tag:yaml.org,2002:int': tags are not read
      1 | seed: !!int 5
        |       ^
  [2]

yaml-tag-own

  $ cat > run.yaml <<'END'
  > policy: !python/object:os.system fifo
  > END
  $ hetune validate run.yaml
  run.yaml:1:9: error: tag '!python/object:os.system': tags are not read
      1 | policy: !python/object:os.system fifo
        |         ^
  [2]

yaml-tag-on-map

  $ cat > run.yaml <<'END'
  > cluster: !c {nodes: 1}
  > END
  $ hetune validate run.yaml
  run.yaml:1:10: error: tag '!c': tags are not read
      1 | cluster: !c {nodes: 1}
        |          ^
  [2]

yaml-tag-verbatim

  $ cat > run.yaml <<'END'
  > seed: !<tag:x> 1
  > END
  $ hetune validate run.yaml
  run.yaml:1:7: error: tag 'tag:x': tags are not read
      1 | seed: !<tag:x> 1
        |       ^
  [2]

yaml-tag-cut

  $ cat > run.yaml <<'END'
  > seed: !<tag
  > END
  $ hetune validate run.yaml
  run.yaml:1:12: error: did not find the expected '>' (while scanning a tag, line 1)
      1 | seed: !<tag
        |            ^
  [2]

yaml-tag-unknown-handle

  $ cat > run.yaml <<'END'
  > seed: !e!x 1
  > END
  $ hetune validate run.yaml
  run.yaml:1:7: error: found undefined tag handle (while parsing a node, line 1)
      1 | seed: !e!x 1
        |       ^
  [2]

yaml-merge-key

  $ cat > run.yaml <<'END'
  > a: &x {seed: 1}
  > b:
  >   <<: *x
  > END
  $ hetune validate run.yaml
  run.yaml:3:3: error: key '<<': merge keys are not read
      3 |   <<: *x
        |   ^
  [2]

yaml-empty-key

  $ cat > run.yaml <<'END'
  > "": 1
  > END
  $ hetune validate run.yaml
  run.yaml:1:1: error: an empty key
      1 | "": 1
        | ^
  [2]

yaml-empty-key-explicit

  $ cat > run.yaml <<'END'
  > ?
  > : 1
  > END
  $ hetune validate run.yaml
  run.yaml:1:2: error: an empty key
      1 | ?
        |  ^
  [2]

yaml-key-is-list

  $ cat > run.yaml <<'END'
  > [a, b]: 1
  > END
  $ hetune validate run.yaml
  run.yaml:1:1: error: a key that is no plain text
      1 | [a, b]: 1
        | ^
  [2]

yaml-key-is-map

  $ cat > run.yaml <<'END'
  > {a: b}: 1
  > END
  $ hetune validate run.yaml
  run.yaml:1:1: error: a key that is no plain text
      1 | {a: b}: 1
        | ^
  [2]

yaml-key-is-block-list

  $ cat > run.yaml <<'END'
  > ? - a
  >   - b
  > : 1
  > END
  $ hetune validate run.yaml
  run.yaml:1:3: error: a key that is no plain text
      1 | ? - a
        |   ^
  [2]

yaml-two-documents

  $ cat > run.yaml <<'END'
  > seed: 1
  > ---
  > seed: 2
  > END
  $ hetune validate run.yaml
  run.yaml:2:1: error: a second document; wanted one
      2 | ---
        | ^
  [2]

yaml-second-document-empty

  $ cat > run.yaml <<'END'
  > seed: 1
  > ...
  > ---
  > END
  $ hetune validate run.yaml
  run.yaml:3:1: error: a second document; wanted one
      3 | ---
        | ^
  [2]

yaml-text-behind-end

  $ cat > run.yaml <<'END'
  > seed: 1
  > ...
  > seed: 2
  > END
  $ hetune validate run.yaml
  run.yaml:3:1: error: text behind the end of the value
      3 | seed: 2
        | ^
  [2]

yaml-deep-lists

  $ cat > run.yaml <<'END'
  > a: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
  > END
  $ hetune validate run.yaml
  run.yaml:1:67: error: nested deeper than 64
      1 | a: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]...
        |                                                                   ^
  [2]

yaml-deep-maps

  $ cat > run.yaml <<'END'
  > {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: 1}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}
  > END
  $ hetune validate run.yaml
  run.yaml:1:257: error: nested deeper than 64
      1 | ... {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: {a: 1}}}}}}}}}}}}}}}}}}}}}}}}}}...
        |                                                     ^
  [2]

yaml-deep-dashes

  $ cat > run.yaml <<'END'
  > - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - 1
  > END
  $ hetune validate run.yaml
  run.yaml:1:129: error: nested deeper than 64
      1 | ... - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - 1
        |                                                     ^
  [2]

yaml-deep-open

  $ cat > run.yaml <<'END'
  > [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
  > END
  $ hetune validate run.yaml
  run.yaml:1:65: error: nested deeper than 64
      1 | [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[...
        |                                                                 ^
  [2]

yaml-deep-indent

  $ cat > run.yaml <<'END'
  > a:
  >  a:
  >   a:
  >    a:
  >     a:
  >      a:
  >       a:
  >        a:
  >         a:
  >          a:
  >           a:
  >            a:
  >             a:
  >              a:
  >               a:
  >                a:
  >                 a:
  >                  a:
  >                   a:
  >                    a:
  >                     a:
  >                      a:
  >                       a:
  >                        a:
  >                         a:
  >                          a:
  >                           a:
  >                            a:
  >                             a:
  >                              a:
  >                               a:
  >                                a:
  >                                 a:
  >                                  a:
  >                                   a:
  >                                    a:
  >                                     a:
  >                                      a:
  >                                       a:
  >                                        a:
  >                                         a:
  >                                          a:
  >                                           a:
  >                                            a:
  >                                             a:
  >                                              a:
  >                                               a:
  >                                                a:
  >                                                 a:
  >                                                  a:
  >                                                   a:
  >                                                    a:
  >                                                     a:
  >                                                      a:
  >                                                       a:
  >                                                        a:
  >                                                         a:
  >                                                          a:
  >                                                           a:
  >                                                            a:
  >                                                             a:
  >                                                              a:
  >                                                               a:
  >                                                                a:
  >                                                                 a:
  >                                                                  a:
  >                                                                   a:
  >                                                                    a:
  >                                                                     a:
  >                                                                      a:
  > END
  $ hetune validate run.yaml
  run.yaml:65:65: error: nested deeper than 64
     65 |                                                                 a:
        |                                                                 ^
  [2]

yaml-nul-escaped

  $ cat > run.yaml <<'END'
  > name: "a\0b"
  > END
  $ hetune validate run.yaml
  run.yaml:1:7: error: a NUL character in a text
      1 | name: "a\0b"
        |       ^
  [2]

yaml-nul-in-key

  $ cat > run.yaml <<'END'
  > "a\0": 1
  > END
  $ hetune validate run.yaml
  run.yaml:1:1: error: a NUL character in a text
      1 | "a\0": 1
        | ^
  [2]

yaml-nul

  $ printf 'name: a\000b\n' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:8: error: character U+0000 is not allowed in a text
      1 | name: a?b
        |        ^
  [2]

yaml-control-character

  $ printf 'name: a\001b\n' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:8: error: character U+0001 is not allowed in a text
      1 | name: a?b
        |        ^
  [2]

yaml-terminal-escape

  $ printf 'name: \033]0;title\007\n' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:7: error: character U+001B is not allowed in a text
      1 | name: ?]0;title?
        |       ^
  [2]

yaml-delete-character

  $ printf 'name: a\177\n' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:8: error: character U+007F is not allowed in a text
      1 | name: a?
        |        ^
  [2]

yaml-next-line

  $ printf 'name: a\302\205b\n' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:8: error: character U+0085 is not allowed in a text
      1 | name: a?b
        |        ^
  [2]

yaml-line-separator

  $ printf 'name: a\342\200\250b\n' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:8: error: character U+2028 is not allowed in a text
      1 | name: a?b
        |        ^
  [2]

yaml-order-mark-inside

  $ printf 'name: a\357\273\277\n' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:8: error: character U+FEFF is not allowed in a text
      1 | name: a?
        |        ^
  [2]

yaml-no-character

  $ printf 'name: a\357\277\277\n' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:8: error: character U+FFFF is not allowed in a text
      1 | name: a?
        |        ^
  [2]

yaml-utf16-le

  $ printf '\377\376s\000e\000e\000d\000:\000 \0001\000\n\000' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:1: error: the text is UTF-16; wanted UTF-8
      1 | ??s?e?e?d?:? ?1?
        | ^
  [2]

yaml-utf16-be

  $ printf '\376\377\000s\000e\000e\000d\000:\000 \0001\000\n' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:1: error: the text is UTF-16; wanted UTF-8
      1 | ???s?e?e?d?:? ?1?
        | ^
  [2]

yaml-utf16-without-mark

  $ printf 's\000e\000e\000d\000:\000 \0001\000\n\000' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:2: error: character U+0000 is not allowed in a text
      1 | s?e?e?d?:? ?1?
        |  ^
  [2]

yaml-utf8-bad-byte

  $ printf 'name: \377\n' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:7: error: byte 0xFF is not valid UTF-8
      1 | name: ?
        |       ^
  [2]

yaml-utf8-cut

  $ printf 'name: \342\202\n' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:7: error: byte 0xE2 is not valid UTF-8
      1 | name: ??
        |       ^
  [2]

yaml-utf8-overlong

  $ printf 'name: \300\257\n' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:7: error: byte 0xC0 is not valid UTF-8
      1 | name: ??
        |       ^
  [2]

yaml-utf8-surrogate

  $ printf 'name: \355\240\200\n' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:7: error: byte 0xED is not valid UTF-8
      1 | name: ???
        |       ^
  [2]

yaml-utf8-too-high

  $ printf 'name: \364\220\200\200\n' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:7: error: byte 0xF4 is not valid UTF-8
      1 | name: ????
        |       ^
  [2]

yaml-utf8-in-comment

  $ printf 'seed: 1\n# caf\351\n' > run.yaml
  $ hetune validate run.yaml
  run.yaml:2:6: error: byte 0xE9 is not valid UTF-8
      2 | # caf?
        |      ^
  [2]

yaml-latin1-key

  $ printf 'stra\337e: 1\n' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:5: error: byte 0xDF is not valid UTF-8
      1 | stra?e: 1
        |     ^
  [2]

yaml-lone-cr

  $ printf 'seed: 1\015load: 2\015' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:8: error: a carriage return without a line feed
      1 | seed: 1?load: 2
        |        ^
  [2]

yaml-cr-cr-lf

  $ printf 'seed: 1\015\015\n' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:8: error: a carriage return without a line feed
      1 | seed: 1?
        |        ^
  [2]

yaml-cr-at-the-end

  $ printf 'seed: 1\015' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:8: error: a carriage return without a line feed
      1 | seed: 1
        |        ^
  [2]

yaml-open-list

  $ cat > run.yaml <<'END'
  > gpus: [1, 2
  > END
  $ hetune validate run.yaml
  run.yaml:2:1: error: did not find expected ',' or ']' (while parsing a flow sequence, line 1)
      2 | 
        | ^
  [2]

yaml-open-map

  $ cat > run.yaml <<'END'
  > cluster: {nodes: 1
  > seed: 2
  > END
  $ hetune validate run.yaml
  run.yaml:2:5: error: did not find expected ',' or '}' (while parsing a flow mapping, line 1)
      2 | seed: 2
        |     ^
  [2]

yaml-wrong-bracket

  $ cat > run.yaml <<'END'
  > gpus: [1, 2}
  > END
  $ hetune validate run.yaml
  run.yaml:1:12: error: did not find expected ',' or ']' (while parsing a flow sequence, line 1)
      1 | gpus: [1, 2}
        |            ^
  [2]

yaml-bracket-too-many

  $ cat > run.yaml <<'END'
  > gpus: [1, 2]]
  > END
  $ hetune validate run.yaml
  run.yaml:1:13: error: did not find expected key (while parsing a block mapping, line 1)
      1 | gpus: [1, 2]]
        |             ^
  [2]

yaml-brace-alone

  $ cat > run.yaml <<'END'
  > }
  > END
  $ hetune validate run.yaml
  run.yaml:1:1: error: did not find expected node content (while parsing a block node, line 1)
      1 | }
        | ^
  [2]

yaml-comma-alone

  $ cat > run.yaml <<'END'
  > gpus: ,
  > END
  $ hetune validate run.yaml
  run.yaml:1:7: error: did not find expected node content (while parsing a block node, line 1)
      1 | gpus: ,
        |       ^
  [2]

yaml-open-single-quote

  $ cat > run.yaml <<'END'
  > name: 'x
  > seed: 1
  > END
  $ hetune validate run.yaml
  run.yaml:3:1: error: found unexpected end of stream (while scanning a quoted scalar, line 1)
      3 | 
        | ^
  [2]

yaml-open-double-quote

  $ cat > run.yaml <<'END'
  > name: "x
  > seed: 1
  > END
  $ hetune validate run.yaml
  run.yaml:3:1: error: found unexpected end of stream (while scanning a quoted scalar, line 1)
      3 | 
        | ^
  [2]

yaml-text-behind-quote

  $ cat > run.yaml <<'END'
  > name: 'x' y
  > END
  $ hetune validate run.yaml
  run.yaml:1:11: error: did not find expected key (while parsing a block mapping, line 1)
      1 | name: 'x' y
        |           ^
  [2]

yaml-bad-escape

  $ cat > run.yaml <<'END'
  > name: "\q"
  > END
  $ hetune validate run.yaml
  run.yaml:1:8: error: found unknown escape character (while parsing a quoted scalar, line 1)
      1 | name: "\q"
        |        ^
  [2]

yaml-bad-hex-escape

  $ cat > run.yaml <<'END'
  > name: "\xZZ"
  > END
  $ hetune validate run.yaml
  run.yaml:1:10: error: did not find expected hexdecimal number (while parsing a quoted scalar, line 1)
      1 | name: "\xZZ"
        |          ^
  [2]

yaml-surrogate-escape

  $ cat > run.yaml <<'END'
  > name: "\uD800"
  > END
  $ hetune validate run.yaml
  run.yaml:1:10: error: found invalid Unicode character escape code (while parsing a quoted scalar, line 1)
      1 | name: "\uD800"
        |          ^
  [2]

yaml-tab-indent

  $ printf 'cluster:\n\011nodes: 1\n' > run.yaml
  $ hetune validate run.yaml
  run.yaml:2:1: error: found character that cannot start any token (while scanning for the next token, line 2)
      2 |  nodes: 1
        | ^
  [2]

yaml-wrong-indent

  $ cat > run.yaml <<'END'
  > cluster:
  >   nodes: 1
  >  seed: 2
  > END
  $ hetune validate run.yaml
  run.yaml:3:2: error: did not find expected key (while parsing a block mapping, line 1)
      3 |  seed: 2
        |  ^
  [2]

yaml-indent-below-value

  $ cat > run.yaml <<'END'
  > seed: 1
  >   load: 2
  > END
  $ hetune validate run.yaml
  run.yaml:2:7: error: mapping values are not allowed in this context
      2 |   load: 2
        |       ^
  [2]

yaml-two-colons

  $ cat > run.yaml <<'END'
  > seed: 1: 2
  > END
  $ hetune validate run.yaml
  run.yaml:1:8: error: mapping values are not allowed in this context
      1 | seed: 1: 2
        |        ^
  [2]

yaml-no-colon

  $ cat > run.yaml <<'END'
  > seed: 1
  > load
  > END
  $ hetune validate run.yaml
  run.yaml:3:1: error: could not find expected ':' (while scanning a simple key, line 2)
      3 | 
        | ^
  [2]

yaml-list-then-map

  $ cat > run.yaml <<'END'
  > - a
  > seed: 1
  > END
  $ hetune validate run.yaml
  run.yaml:2:1: error: did not find expected '-' indicator (while parsing a block collection, line 1)
      2 | seed: 1
        | ^
  [2]

yaml-map-then-list

  $ cat > run.yaml <<'END'
  > seed: 1
  > - a
  > END
  $ hetune validate run.yaml
  run.yaml:2:1: error: did not find expected key (while parsing a block mapping, line 1)
      2 | - a
        | ^
  [2]

yaml-dash-in-value

  $ cat > run.yaml <<'END'
  > seed: -
  > END
  $ hetune validate run.yaml
  run.yaml:1:7: error: block sequence entries are not allowed in this context
      1 | seed: -
        |       ^
  [2]

yaml-dash-inline

  $ cat > run.yaml <<'END'
  > seed: - 1
  > END
  $ hetune validate run.yaml
  run.yaml:1:7: error: block sequence entries are not allowed in this context
      1 | seed: - 1
        |       ^
  [2]

yaml-question-in-value

  $ cat > run.yaml <<'END'
  > seed: ? 1
  > END
  $ hetune validate run.yaml
  run.yaml:1:7: error: mapping keys are not allowed in this context
      1 | seed: ? 1
        |       ^
  [2]

yaml-at-sign

  $ cat > run.yaml <<'END'
  > name: @home
  > END
  $ hetune validate run.yaml
  run.yaml:1:7: error: found character that cannot start any token (while scanning for the next token, line 1)
      1 | name: @home
        |       ^
  [2]

yaml-backquote

  $ cat > run.yaml <<'END'
  > name: `id`
  > END
  $ hetune validate run.yaml
  run.yaml:1:7: error: found character that cannot start any token (while scanning for the next token, line 1)
      1 | name: `id`
        |       ^
  [2]

yaml-percent

  $ cat > run.yaml <<'END'
  > name: %n
  > END
  $ hetune validate run.yaml
  run.yaml:1:7: error: found character that cannot start any token (while scanning for the next token, line 1)
      1 | name: %n
        |       ^
  [2]

yaml-anchor-without-name

  $ cat > run.yaml <<'END'
  > seed: & 1
  > END
  $ hetune validate run.yaml
  run.yaml:1:8: error: did not find expected alphabetic or numeric character (while scanning an anchor, line 1)
      1 | seed: & 1
        |        ^
  [2]

yaml-alias-without-name

  $ cat > run.yaml <<'END'
  > seed: *
  > END
  $ hetune validate run.yaml
  run.yaml:1:8: error: did not find expected alphabetic or numeric character (while scanning an alias, line 1)
      1 | seed: *
        |        ^
  [2]

yaml-two-anchors

  $ cat > run.yaml <<'END'
  > seed: &a &b 1
  > END
  $ hetune validate run.yaml
  run.yaml:1:10: error: did not find expected key (while parsing a block mapping, line 1)
      1 | seed: &a &b 1
        |          ^
  [2]

yaml-anchor-on-alias

  $ cat > run.yaml <<'END'
  > a: &x 1
  > b: &y *x
  > END
  $ hetune validate run.yaml
  run.yaml:2:7: error: did not find expected key (while parsing a block mapping, line 1)
      2 | b: &y *x
        |       ^
  [2]

yaml-unknown-directive

  $ cat > run.yaml <<'END'
  > %FOO bar
  > seed: 1
  > END
  $ hetune validate run.yaml
  run.yaml:1:5: error: found unknown directive name (while scanning a directive, line 1)
      1 | %FOO bar
        |     ^
  [2]

yaml-directive-version

  $ cat > run.yaml <<'END'
  > %YAML 2.0
  > ---
  > seed: 1
  > END
  $ hetune validate run.yaml
  run.yaml:1:1: error: found incompatible YAML document
      1 | %YAML 2.0
        | ^
  [2]

yaml-directive-twice

  $ cat > run.yaml <<'END'
  > %YAML 1.2
  > %YAML 1.2
  > ---
  > seed: 1
  > END
  $ hetune validate run.yaml
  run.yaml:2:1: error: found duplicate %YAML directive
      2 | %YAML 1.2
        | ^
  [2]

yaml-directive-without-document

  $ cat > run.yaml <<'END'
  > %YAML 1.2
  > seed: 1
  > END
  $ hetune validate run.yaml
  run.yaml:2:1: error: text behind the end of the value
      2 | seed: 1
        | ^
  [2]

yaml-block-indicator

  $ cat > run.yaml <<'END'
  > name: |9x
  >   a
  > END
  $ hetune validate run.yaml
  run.yaml:1:9: error: did not find expected comment or line break (while scanning a block scalar, line 1)
      1 | name: |9x
        |         ^
  [2]

yaml-block-bad-indent

  $ cat > run.yaml <<'END'
  > name: |0
  >   a
  > END
  $ hetune validate run.yaml
  run.yaml:1:8: error: found an indentation indicator equal to 0 (while scanning a block scalar, line 1)
      1 | name: |0
        |        ^
  [2]

yaml-block-tab

  $ printf 'name: |\n\011a\n' > run.yaml
  $ hetune validate run.yaml
  run.yaml:2:1: error: found a tab character where an indentation space is expected (while scanning a block scalar, line 1)
      2 |  a
        | ^
  [2]

yaml-long-key

  $ cat > run.yaml <<'END'
  > kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk: 1
  > END
  $ hetune validate run.yaml
  run.yaml:1:1101: error: mapping values are not allowed in this context
      1 | ...kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk: 1
        |                                                     ^
  [2]

yaml-json-comment

  $ cat > run.yaml <<'END'
  > {"seed": 1, // comment
  >  "load": 2}
  > END
  $ hetune validate run.yaml
  run.yaml:2:8: error: did not find expected ',' or '}' (while parsing a flow mapping, line 1)
      2 |  "load": 2}
        |        ^
  [2]

yaml-merge-conflict

  $ cat > run.yaml <<'END'
  > <<<<<<< HEAD
  > seed: 1
  > =======
  > seed: 2
  > >>>>>>> other
  > END
  $ hetune validate run.yaml
  run.yaml:2:5: error: mapping values are not allowed in this context
      2 | seed: 1
        |     ^
  [2]

yaml-markdown-fence

  $ cat > run.yaml <<'END'
  > ```yaml
  > seed: 1
  > ```
  > END
  $ hetune validate run.yaml
  run.yaml:1:1: error: found character that cannot start any token (while scanning for the next token, line 1)
      1 | ```yaml
        | ^
  [2]

yaml-shell-here

  $ cat > run.yaml <<'END'
  > seed: 1
  > EOF
  > END
  $ hetune validate run.yaml
  run.yaml:3:1: error: could not find expected ':' (while scanning a simple key, line 2)
      3 | 
        | ^
  [2]

yaml-gzip

  $ printf '\037\213\010\000\000\000\000\000\n' > run.yaml
  $ hetune validate run.yaml
  run.yaml:1:1: error: character U+001F is not allowed in a text
      1 | ????????
        | ^
  [2]
