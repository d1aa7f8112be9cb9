-- Save a table atomically.
--
-- KEYS  1 the table (hash)   2 its log (list)   3 updates applied to it (hash: update -> the save that did it)
--       4 due times of the shard (sorted set, ms): reminders, clocks, forced actions, turns of the house
--       5 boards of the shard not known to be posted (sorted set, ms)   6 the other queue of due times
--       7 running tables of the shard, which have no TTL (set)
-- ARGV  1 the table's id   2 the new revision   3 its document (JSON)   4 the document's schema
--       5 id of the update, '' for none   6 unique name of this save, the same in its retries
--       7 when another process may post the board (ms since 1970)   8 next due time (ms since 1970), '' for none
--       9 TTL of the table (ms), '' for none   10 TTL of the updates (ms)
--       11 name of the preceding save, '' for none, '*' for any
--       12 name of an attachment, '' for none   13 next due time if it exists then (ms since 1970)
--       14 name of the attachment that this save uses, '' for none   15 its expected content, '' for none
--       16 number of the attachments to remove   17 .. their names, then entries for the log (JSON)
-- Returns 0 saved (now, or by an earlier try of this very save), 1 this update was applied already, 2 conflict.

if ARGV[5] ~= '' then
  local by = redis.call('HGET', KEYS[3], ARGV[5])
  if by then
    return by == ARGV[6] and 0 or 1
  end
end

local before = string.format('%d', tonumber(ARGV[2]) - 1)
local stored = redis.call('HMGET', KEYS[1], 'revision', 'save')
-- After a server has lost its newest saves, a revision can occur twice; the name of a save is unique.
if (stored[1] or '0') ~= before or (ARGV[11] ~= '*' and (stored[2] or '') ~= ARGV[11]) then
  return stored[2] == ARGV[6] and 0 or 2
end
if ARGV[14] ~= '' and (redis.call('HGET', KEYS[1], 'aside:' .. ARGV[14]) or '') ~= ARGV[15] then
  return 2
end

redis.call('HSET', KEYS[1], 'revision', ARGV[2], 'json', ARGV[3], 'schema', ARGV[4], 'save', ARGV[6])
local entries = 17 + tonumber(ARGV[16])
for i = 17, entries - 1 do
  redis.call('HDEL', KEYS[1], 'aside:' .. ARGV[i])
end
for i = entries, #ARGV do
  redis.call('RPUSH', KEYS[2], ARGV[i])
end
if ARGV[5] ~= '' then
  redis.call('HSET', KEYS[3], ARGV[5], ARGV[6])
  redis.call('PEXPIRE', KEYS[3], ARGV[10])
end

redis.call('ZREM', KEYS[4], ARGV[1] .. ':' .. before)
redis.call('ZREM', KEYS[6], ARGV[1] .. ':' .. before)
local due = ARGV[8]
if ARGV[12] ~= '' and redis.call('HEXISTS', KEYS[1], 'aside:' .. ARGV[12]) == 1 then
  due = ARGV[13]
end
if due ~= '' then
  redis.call('ZADD', KEYS[4], due, ARGV[1] .. ':' .. ARGV[2])
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
