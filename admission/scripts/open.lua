-- All contracts and bans were loaded: decisions begin. ARGV: for how many seconds no state changes, because the proofs that were
-- used before are not remembered, node. Answers open, or there.
if is_open() then return finish('there') end
redis.call('HSET', key('stand'), 'run', RUN, 'open', NOW, 'writes', exact(now + tonumber(ARGV[2])))
event('open', { 'node', ARGV[3] })
return finish('open')
