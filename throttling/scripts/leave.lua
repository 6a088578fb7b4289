-- Whoever waited goes away: ARGV id. A call that was granted meanwhile was not sent, and is given back.
if not load() then return 'lost' end
local now = clock()
sweep(now)
local id = ARGV[REST]
local call = read_call(id)
if call and call[STATE] == FLYING then
  forget_call(id)
  take_back(id, call, now)
  if leads(id, call[FLIGHT]) then break_flight(call[FLIGHT], now) end
else
  leave(id, now)
end
return answer('done', now, dispatch(now))
