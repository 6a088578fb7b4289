-- The platform itself said "over limit": ARGV id, seconds of rest. The call waits again in its old place, the queue rests.
-- With a rest below 0 nobody refused: its process slept through its turn.
if not load() then return 'lost' end
local now = clock()
sweep(now)
local id, rest = ARGV[REST], tonumber(ARGV[REST + 1])
if rest >= 0 then
  S.blocked = math.max(S.blocked, now + rest)
  S.refusals = S.refusals + 1
end
local call = read_call(id)
if not call or call[STATE] ~= FLYING then return answer('unknown', now, dispatch(now)) end
take_back(id, call, now)
if leads(id, call[FLIGHT]) then break_flight(call[FLIGHT], now) end
if call[FLIGHT] ~= '' then redis.call('SADD', key('volgers:') .. call[FLIGHT], id) end
put_back(id, call, now)
return answer('waits', now, dispatch(now))
