-- grain: one value
-- macro: unless_unread(figure, n_read)
-- A figure of replies; NULL where none of them was read. What is no DOUBLE stays.
select if(n_read = 0 and typeof(figure) = 'DOUBLE', null, figure)
