-- Save a table: all of it or nothing.
--
-- KEYS  1 the table (hash)   2 its log (list)   3 updates applied to it (hash: update -> the save that did it)
--       4 reminders of the shard (sorted set, ms): those that the next one goes to
--       5 boards of the shard not known to be posted (sorted set, ms)   6 the other reminders of the shard
--       7 tables of the shard that are kept for ever, being on (set)
-- ARGV  1 the table's id   2 the new revision   3 its document (JSON)   4 the document's schema
--       5 id of the update, '' for none   6 name of this save: its repetitions carry the same one, no other save does
--       7 when another worker may post the board (ms since 1970)   8 when to remind (ms since 1970), '' for never
--       9 for how long the table is kept (ms from now), '' for ever   10 for how long updates are remembered (ms)
--       11 name of the save that it follows, '' for none, '*' for any   12 .. entries for the log (JSON)
-- Gives 0 saved (now, or by an earlier try of this very save), 1 this update was applied already, 2 conflict.

if ARGV[5] ~= '' then
  local by = redis.call('HGET', KEYS[3], ARGV[5])
  if by then
    return by == ARGV[6] and 0 or 1
  end
end

local before = string.format('%d', tonumber(ARGV[2]) - 1)
local stored = redis.call('HMGET', KEYS[1], 'revision', 'save')
-- A revision may be handed out twice, by a server that has lost its newest saves: a save's name is given once.
if (stored[1] or '0') ~= before or (ARGV[11] ~= '*' and (stored[2] or '') ~= ARGV[11]) then
  return stored[2] == ARGV[6] and 0 or 2
end

redis.call('HSET', KEYS[1], 'revision', ARGV[2], 'json', ARGV[3], 'schema', ARGV[4], 'save', ARGV[6])
for i = 12, #ARGV do
  redis.call('RPUSH', KEYS[2], ARGV[i])
end
if ARGV[5] ~= '' then
  redis.call('HSET', KEYS[3], ARGV[5], ARGV[6])
  redis.call('PEXPIRE', KEYS[3], ARGV[10])
end

redis.call('ZREM', KEYS[4], ARGV[1] .. ':' .. before)
redis.call('ZREM', KEYS[6], ARGV[1] .. ':' .. before)
if ARGV[8] ~= '' then
  redis.call('ZADD', KEYS[4], ARGV[8], ARGV[1] .. ':' .. ARGV[2])
end
redis.call('ZADD', KEYS[5], ARGV[7], ARGV[1])
redis.call(ARGV[9] == '' and 'SADD' or 'SREM', KEYS[7], ARGV[1])

for i = 1, 2 do
  if ARGV[9] ~= '' then
    redis.call('PEXPIRE', KEYS[i], ARGV[9])
  else
    redis.call('PERSIST', KEYS[i])
  end
end
return 0
