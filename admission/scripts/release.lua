-- A request is over. ARGV: contract, request, whether the origin was never reached, node. Then what it cost is given back, once,
-- as long as it is remembered. Answers released, refunded or nothing.
local id, request = ARGV[2], ARGV[3]
local C = contract(id)
if not C or not C.workload then return finish('nothing') end
redis.call('ZREMRANGEBYSCORE', key('j', id), '-inf', NOW)  -- here, where nobody waits
local answer = give_back(id, C, request) and 'released' or 'nothing'
local place = key('q', id .. MARK .. request)
local kept = ARGV[4] == '1' and redis.call('GET', place)
if kept then
  local till, cost, write = string.match(kept, '^([^|]*)|(%d+)|(%d)|')
  redis.call('DEL', place)
  if tonumber(till) > now then
    local left = redis.call('HINCRBY', key('c', id), 'left', cost)
    local wleft = redis.call('HINCRBY', key('c', id), 'wleft', write)
    event('refund', { 'contract', id, 'workload', C.workload, 'tier', C.tier, 'cost', cost, 'left', whole(left),
      'wleft', whole(wleft), 'request', request, 'node', ARGV[5] })
    answer = 'refunded'
  end
end
return finish(answer)
