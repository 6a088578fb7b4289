-- The request never left: ARGV id. Charge, use and tag are taken back.
if not load() then return 'lost' end
local now = clock()
sweep(now)
local id = ARGV[REST]
local call = read_call(id)
if not call or call[STATE] ~= FLYING then return answer('unknown', now, dispatch(now)) end
forget_call(id)
take_back(id, call, now)
if leads(id, call[FLIGHT]) then break_flight(call[FLIGHT], now) end
return answer('done', now, dispatch(now))
