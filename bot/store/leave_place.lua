-- Free a place, if this table still holds it.
--
-- KEYS  1 the place (string: the table that is on there)
-- ARGV  1 the table
-- Gives 1 if the place is free by this, else 0.

if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
