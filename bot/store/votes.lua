-- Load all votes at a table.
--
-- KEYS  1 the table (hash)
-- Returns the count (JSON), '' for none, then the name of every ballot's attachment with its content (JSON).

local answer = {redis.call('HGET', KEYS[1], 'aside:count') or ''}
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  if string.sub(fields[i], 1, 11) == 'aside:vote ' then
    answer[#answer + 1] = string.sub(fields[i], 12)
    answer[#answer + 1] = fields[i + 1]
  end
end
return answer
