-- Set an attachment of a table: it lives as long as the table, and setting it is not a save.
--
-- KEYS  1 the table (hash)
-- ARGV  1 name of the attachment   2 its new content, '' to remove it   3 the expected former content, '' for none, '*' for any
--       4 the expected name of the table's newest save, '*' for any
-- Returns the content afterwards: ARGV[2], or the former one if content or save were not expected; false if there is no
--       such table.

local save = redis.call('HGET', KEYS[1], 'save')
if not save then
  return false
end
local content = redis.call('HGET', KEYS[1], 'aside:' .. ARGV[1])
if (ARGV[3] ~= '*' and (content or '') ~= ARGV[3]) or (ARGV[4] ~= '*' and save ~= ARGV[4]) then
  return content or ''
end
if ARGV[2] == '' then
  redis.call('HDEL', KEYS[1], 'aside:' .. ARGV[1])
else
  redis.call('HSET', KEYS[1], 'aside:' .. ARGV[1], ARGV[2])
end
return ARGV[2]
