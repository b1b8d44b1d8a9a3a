Populations of learning curves
==============================

A family is chosen by its error over the last 30 % of the epochs, which it was not fitted to.

  $ ln -s "$OLDPWD"/traces .; hetune curves fit traces/curves/ptb_lstm.yaml -o ptb.yaml
  $ diff ptb.yaml traces/populations/ptb_lstm.yaml && head -n 13 ptb.yaml
