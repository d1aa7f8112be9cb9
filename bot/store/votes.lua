-- Load what people without a seat have beside a table: their votes and guesses.
--
-- KEYS  1 the table (hash)
-- ARGV  1 .. the kinds of attachments
-- Returns the count of votes (JSON), '' for none, then of each attachment its kind, its person and its content (JSON).

local answer = {redis.call('HGET', KEYS[1], 'aside:count') or ''}
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  for _, kind in ipairs(ARGV) do
    local prefix = 'aside:' .. kind .. ' '
    if string.sub(fields[i], 1, #prefix) == prefix then
      answer[#answer + 1] = kind
      answer[#answer + 1] = string.sub(fields[i], #prefix + 1)
      answer[#answer + 1] = fields[i + 1]
    end
  end
end
return answer
