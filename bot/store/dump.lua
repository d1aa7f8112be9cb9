-- Read all data of one table atomically.
--
-- KEYS  1 the table (hash)   2 its log (list)   3 updates applied to it (hash)   4 private replies that fade (set)
--       5 reminders of the shard (sorted set, ms)   6 boards of the shard not known to be posted (sorted set, ms)
--       7 the urgent ones among the reminders (sorted set, ms)
-- ARGV  1 the table's id
-- Returns nothing if there is no such table, else: the table (fields and values in turn), its TTL (ms, -1:
--       none), its log, the updates (fields and values in turn), their TTL, the private replies,
--       the reminder's time ('' for none), the time from which another process may post the board ('' if posted).

local fields = redis.call('HGETALL', KEYS[1])
if #fields == 0 then
  return false
end
local member = ARGV[1] .. ':' .. redis.call('HGET', KEYS[1], 'revision')
return {
  fields, redis.call('PTTL', KEYS[1]), redis.call('LRANGE', KEYS[2], 0, -1),
  redis.call('HGETALL', KEYS[3]), redis.call('PTTL', KEYS[3]), redis.call('SMEMBERS', KEYS[4]),
  redis.call('ZSCORE', KEYS[5], member) or redis.call('ZSCORE', KEYS[7], member) or '',
  redis.call('ZSCORE', KEYS[6], ARGV[1]) or ''
}
