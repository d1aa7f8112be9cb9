-- Replace a table's document without an event at the table: no board is posted.
--
-- KEYS  1 the table (hash)   2 reminders of the shard (sorted set, ms)
-- ARGV  1 the table's id   2 the new revision   3 its document (JSON)   4 the document's schema   5 name of this save
--       6 name of the save that it follows, '*' for any
-- Returns 0 saved (now, or by an earlier try of this very save), 2 conflict. The table expires as before; a reminder
--       moves to the new revision.

local before = string.format('%d', tonumber(ARGV[2]) - 1)
local stored = redis.call('HMGET', KEYS[1], 'revision', 'save')
if stored[1] ~= before or (ARGV[6] ~= '*' and stored[2] ~= ARGV[6]) then
  return stored[2] == ARGV[5] and 0 or 2
end
redis.call('HSET', KEYS[1], 'revision', ARGV[2], 'json', ARGV[3], 'schema', ARGV[4], 'save', ARGV[5])
local due = redis.call('ZSCORE', KEYS[2], ARGV[1] .. ':' .. before)
if due then
  redis.call('ZREM', KEYS[2], ARGV[1] .. ':' .. before)
  redis.call('ZADD', KEYS[2], due, ARGV[1] .. ':' .. ARGV[2])
end
return 0
