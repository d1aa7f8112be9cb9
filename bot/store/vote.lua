-- Store the vote of a person, count it, and make the table due.
--
-- KEYS  1 the table (hash)   2 updates applied to it (hash: update -> the save that did it)
--       3, 4 the queues of due times of the shard (sorted sets, ms since 1970)
-- ARGV  1 the table's id   2 the expected name of the table's newest save
--       3 name of the person's attachment   4 its expected former content, '' for none   5 its new content
--       6 the poll of the vote   7 the turn that the person votes for, '' if they have no vote any more
--       8 change of the number of voters: 1, 0 or -1   9 id of the update   10 now (ms since 1970)
--       11 the member of the queues: table and revision   12 when the table is due at the latest (ms since 1970)
--       13 TTL of the updates (ms)
-- Returns 0 stored (now, or by an earlier try), 1 this update was applied already, 2 save or content were not expected.

local former = redis.call('HGET', KEYS[1], 'aside:' .. ARGV[3]) or ''
if redis.call('HEXISTS', KEYS[2], ARGV[9]) == 1 then
  return former == ARGV[5] and 0 or 1
end
if redis.call('HGET', KEYS[1], 'save') ~= ARGV[2] or former ~= ARGV[4] then
  return 2
end
redis.call('HSET', KEYS[1], 'aside:' .. ARGV[3], ARGV[5])
redis.call('HSET', KEYS[2], ARGV[9], 'vote')
redis.call('PEXPIRE', KEYS[2], ARGV[13])

local content = redis.call('HGET', KEYS[1], 'aside:count')
local count = content and cjson.decode(content)
if not count or count.poll ~= ARGV[6] then
  count = {poll = ARGV[6], changes = 0, voters = 0}
end
count.changes = (count.changes or 0) + 1
count.voters = (count.voters or 0) + tonumber(ARGV[8])
count.newest_ms = tonumber(ARGV[10])
if ARGV[7] ~= '' then
  count.first = count.first or {}
  count.first[ARGV[7]] = count.first[ARGV[7]] or count.changes
end
redis.call('HSET', KEYS[1], 'aside:count', cjson.encode(count))

for i = 3, 4 do
  local due = redis.call('ZSCORE', KEYS[i], ARGV[11])
  if due then  -- earlier than the lease of a process that is looking at the former votes
    redis.call('ZADD', KEYS[i], math.min(tonumber(due) - 1, tonumber(ARGV[12])), ARGV[11])
  end
end
return 0
