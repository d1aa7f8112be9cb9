-- Store the vote of a person, count it, and make the table due.
--
-- KEYS  1 the table (hash)   2, 3 the queues of due times of the shard (sorted sets, ms since 1970)
-- ARGV  1 the table's id   2 the expected name of the table's newest save
--       3 name of the person's attachment   4 its expected former content, '' for none   5 its new content, with the id
--       of the update   6 the poll of the vote   7 change of the number of voters: 1, 0 or -1   8 now (ms since 1970)
--       9 the member of the queues: table and revision   10 when the table is due at the latest (ms since 1970)
-- Returns 0 stored (now, or by an earlier try), 2 save or content were not expected.

local former = redis.call('HGET', KEYS[1], 'aside:' .. ARGV[3]) or ''
if former == ARGV[5] then
  return 0
end
if redis.call('HGET', KEYS[1], 'save') ~= ARGV[2] or former ~= ARGV[4] then
  return 2
end
redis.call('HSET', KEYS[1], 'aside:' .. ARGV[3], ARGV[5])

local content = redis.call('HGET', KEYS[1], 'aside:count')
local count = content and cjson.decode(content)
if not count or count.poll ~= ARGV[6] then
  count = {poll = ARGV[6], changes = 0, voters = 0}
end
count.changes = (count.changes or 0) + 1
count.voters = (count.voters or 0) + tonumber(ARGV[7])
count.newest_ms = tonumber(ARGV[8])
redis.call('HSET', KEYS[1], 'aside:count', cjson.encode(count))

for i = 2, 3 do
  local due = redis.call('ZSCORE', KEYS[i], ARGV[9])
  if due then  -- earlier than the lease of a process that is looking at the former votes
    redis.call('ZADD', KEYS[i], math.min(tonumber(due) - 1, tonumber(ARGV[10])), ARGV[9])
  end
end
return 0
