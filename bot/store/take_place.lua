-- Give a place to a table if no other one holds it.
--
-- KEYS  1 the place (string: its current table)
-- ARGV  1 the table   2 a table that it may replace, '' for none
-- Returns the holder of the place.

local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[2] then
  return holder
end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]
