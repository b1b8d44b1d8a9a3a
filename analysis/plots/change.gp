# One panel a metric, one row a policy but the baseline. Changes beyond the axis are written at its end.
rows = policies - 1
columns = least_of(4, panels)
lines = (panels + columns - 1) / columns
row_in = 0.19
top_in = 0.3
line_in = top_in + rows * row_in + 0.28
height = lines * line_in + 0.2
left = (label_chars * char_in + 0.15) / width
panel = (1.0 - left - 0.01) / columns
edge = 100.0
inside(x) = most_of(-edge, least_of(edge, x))
