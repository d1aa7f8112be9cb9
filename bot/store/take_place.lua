-- Take a place for a table, if no other one holds it.
--
-- KEYS  1 the place (string: the table that is on there)
-- ARGV  1 the table   2 a table whose place it may take, '' for none
-- Gives the table that holds the place now.

local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[2] then
  return holder
end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]
