-- How it stands with a contract and its workload. ARGV: contract. Answers why it is stopped or active, units, state changes and units left, in flight
-- of both, refusals, seconds left; or nothing.
local id = ARGV[2]
local C = contract(id)
if not C or not C.workload then return finish('') end
local function flying(place) return whole(redis.call('ZCOUNT', place, '(' .. NOW, '+inf')) end
return finish(table.concat({ stopped(C) or 'active', whole(C.units), whole(C.writes), whole(C.left), whole(C.wleft), whole(C.cap),
  flying(key('l', id)), flying(key('m', C.workload)), redis.call('HGET', key('c', id), 'refused') or '0',
  exact(math.max(C.ends - now, 0)) }, '|'))
