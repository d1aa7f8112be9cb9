-- Remove the due time of a table, or set the next one.
--
-- KEYS  1, 2 the queues of due times of the shard (sorted sets, ms since 1970)
-- ARGV  1 the member: table and revision   2 the next due time (ms since 1970), '' for none
--       3 the end of the caller's lease (ms since 1970): the table may have become due earlier since; '' if that does not
--       matter

for i = 1, 2 do
  local due = redis.call('ZSCORE', KEYS[i], ARGV[1])
  if due and (ARGV[3] == '' or tonumber(due) >= tonumber(ARGV[3])) then
    if ARGV[2] == '' then
      redis.call('ZREM', KEYS[i], ARGV[1])
    else
      redis.call('ZADD', KEYS[i], ARGV[2], ARGV[1])
    end
  end
end
return 0
