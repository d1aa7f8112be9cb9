-- Return one page of a game's ranking.
--
-- KEYS  1 ranking (sorted set)   2 names of people (hash)   3 records (hash: "game person" -> JSON)
-- ARGV  1 the game   2 number of people to skip   3 number of people to return
-- Returns for each, the best first: the person, their names (JSON), the record (JSON).

local found = {}
for _, person in ipairs(redis.call('ZREVRANGE', KEYS[1], ARGV[2], ARGV[2] + ARGV[3] - 1)) do
  found[#found + 1] = person
  found[#found + 1] = redis.call('HGET', KEYS[2], person)
  found[#found + 1] = redis.call('HGET', KEYS[3], ARGV[1] .. ' ' .. person)
end
return found
