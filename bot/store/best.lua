-- The best in a game, some at a time.
--
-- KEYS  1 ranking (sorted set)   2 what people are called (hash)   3 records (hash: "game person" -> JSON)
-- ARGV  1 the game   2 how many are left out   3 how many are wanted
-- Gives for each of them, the best first: the person, what they are called (JSON), the record (JSON).

local found = {}
for _, person in ipairs(redis.call('ZREVRANGE', KEYS[1], ARGV[2], ARGV[2] + ARGV[3] - 1)) do
  found[#found + 1] = person
  found[#found + 1] = redis.call('HGET', KEYS[2], person)
  found[#found + 1] = redis.call('HGET', KEYS[3], ARGV[1] .. ' ' .. person)
end
return found
