-- What must stop. ARGV: what (token, contract, workload, issuer, writes), its name, seconds that it must be remembered (a token),
-- why, node, and whether it is lifted: what was ended by it stays so, but new contracts may come. It needs no open store.
local what, name, why, lifted = ARGV[2], ARGV[3], ARGV[5], ARGV[7] == '1'
local number = redis.call('GET', key('n')) or '0'
if what == 'token' then
  redis.call('ZREMRANGEBYSCORE', key('t'), '-inf', NOW)
  redis.call('ZADD', key('t'), exact(now + tonumber(ARGV[4])), name)
elseif what == 'contract' then
  redis.call('HSET', key('c', name), 'status', 'revoked', 'why', why)
  if redis.call('TTL', key('c', name)) < 0 then redis.call('EXPIRE', key('c', name), KEPT) end
elseif what == 'writes' then
  if lifted then redis.call('HDEL', key('x'), 'freeze') else redis.call('HSET', key('x'), 'freeze', '1') end
else
  local kind = what == 'workload' and 'w' or 'i'
  if lifted then number = whole(ban(kind, name)) end
  redis.call('HSET', key('x'), kind .. name, number .. '|' .. (lifted and '0' or '1'))
end
event(lifted and 'lift' or 'revoke', { 'what', what, 'name', name, 'reason', why, 'node', ARGV[6] })
return finish('done')
