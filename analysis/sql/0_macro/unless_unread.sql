-- grain: one value
-- macro: unless_unread(figure, n_read)
-- A figure of replies; NULL where none of them was read. A value that is not a DOUBLE is unchanged.
select if(n_read = 0 and typeof(figure) = 'DOUBLE', null, figure)
