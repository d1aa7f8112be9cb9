-- Forget a person in a place.
--
-- KEYS  1 names of people (hash)   2 records (hash: "game person" -> JSON)   3 .. rankings (sorted sets)
-- ARGV  1 the person   2 .. the games, in the order of their rankings
-- Returns the number of deleted records.

redis.call('HDEL', KEYS[1], ARGV[1])
local records = 0
for i = 2, #ARGV do
  redis.call('ZREM', KEYS[i + 1], ARGV[1])
  records = records + redis.call('HDEL', KEYS[2], ARGV[i] .. ' ' .. ARGV[1])
end
return records
