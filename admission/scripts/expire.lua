-- What ended by itself: each leaves one event, and its slots and proofs are forgotten. ARGV: how many at most, node. Answers how
-- many there were.
local found = redis.call('ZRANGEBYSCORE', key('ends'), '-inf', NOW, 'LIMIT', 0, tonumber(ARGV[2]))
for _, id in ipairs(found) do
  local C = contract(id)
  if C and C.status == 'active' then
    redis.call('HSET', key('c', id), 'status', 'expired')
    event('expire', { 'contract', id, 'workload', C.workload, 'tier', C.tier, 'left', whole(C.left),
      'wleft', whole(C.wleft), 'node', ARGV[3] })
  end
  redis.call('ZREM', key('ends'), id)
  redis.call('DEL', key('j', id))
end
return finish(whole(#found))
