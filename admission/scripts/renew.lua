-- Requests go on. ARGV: seconds of a lease, then contract and request of each. Answers of each why it must stop, or nothing.
local answers = {}
for i = 3, #ARGV, 2 do
  local id, request = ARGV[i], ARGV[i + 1]
  local C = contract(id)
  local stop = stopped(C)
  if not stop then
    local member = id .. MARK .. request
    if (tonumber(redis.call('ZSCORE', key('l', id), member) or 0) or 0) > now then
      for _, place in ipairs(boards(id, C)) do
        redis.call('ZADD', place[1], 'XX', exact(now + tonumber(ARGV[2])), member)
      end
    else
      stop = 'lost'
    end
  end
  answers[#answers + 1] = stop or ''
end
return finish(table.concat(answers, '|'))
