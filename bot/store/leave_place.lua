-- Free a place if this table still holds it.
--
-- KEYS  1 the place (string: its current table)
-- ARGV  1 the table
-- Returns 1 if this freed the place, else 0.

if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
