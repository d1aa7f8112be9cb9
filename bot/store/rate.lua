-- Store the records of a table's people after its result, atomically and once.
--
-- KEYS  1 names of people (hash)   2 records (hash: "game person" -> JSON)   3 ranking in the game (sorted set)
--       4 tables whose results are in the records (sorted set, ms since 1970); all of one place
-- ARGV  1 the table   2 now (ms since 1970)   3 TTL of the memory of a table (ms)   4 the game
--       5 .. for each person: the person, their names (JSON), the new record (JSON), games in it, skill
-- Returns 0 done (now or before), 2 conflict: a record is not the predecessor of the new one.

if redis.call('ZSCORE', KEYS[4], ARGV[1]) then
  return 0
end
for i = 5, #ARGV, 5 do
  local kept = redis.call('HGET', KEYS[2], ARGV[4] .. ' ' .. ARGV[i])
  local games = kept and cjson.decode(kept).games or 0
  if games ~= tonumber(ARGV[i + 3]) - 1 then
    return 2
  end
end
for i = 5, #ARGV, 5 do
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
  redis.call('HSET', KEYS[2], ARGV[4] .. ' ' .. ARGV[i], ARGV[i + 2])
  redis.call('ZADD', KEYS[3], ARGV[i + 4], ARGV[i])
end
redis.call('ZADD', KEYS[4], ARGV[2], ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', '(' .. string.format('%d', tonumber(ARGV[2]) - tonumber(ARGV[3])))
redis.call('PEXPIRE', KEYS[4], ARGV[3])
return 0
