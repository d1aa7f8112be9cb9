-- Keep something beside a table: as long as the table, and without a save of it.
--
-- KEYS  1 the table (hash)
-- ARGV  1 the name of what is kept   2 what it is to read   3 what it has to read before, '' for nothing, '*' for any
-- Gives what it reads then: ARGV[2], or what somebody else put there; nothing if there is no such table.

if redis.call('HEXISTS', KEYS[1], 'save') == 0 then
  return false
end
local stands = redis.call('HGET', KEYS[1], 'aside:' .. ARGV[1])
if ARGV[3] ~= '*' and (stands or '') ~= ARGV[3] then
  return stands or ''
end
redis.call('HSET', KEYS[1], 'aside:' .. ARGV[1], ARGV[2])
return ARGV[2]
