-- Load a table with its newest message and the end of its log.
--
-- KEYS  1 the table (hash)   2 its log (list)
-- ARGV  1 how many of the newest entries
-- Gives nothing if there is no such table, else: document (JSON), its schema, the newest message (JSON or nothing),
--       entries (JSON array, oldest first).

local table_ = redis.call('HMGET', KEYS[1], 'json', 'schema', 'posted')
if not table_[1] then
  return false
end
local entries = redis.call('LRANGE', KEYS[2], '-' .. ARGV[1], -1)
return {table_[1], table_[2], table_[3], '[' .. table.concat(entries, ',') .. ']'}
