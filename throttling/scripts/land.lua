-- A shared call is over: ARGV flight, its leader's id, failure (empty: there is an answer). All who wait for it leave uncharged.
if not load() then return 'lost' end
local now = clock()
sweep(now)
local flight, leader, failure = ARGV[REST], ARGV[REST + 1], ARGV[REST + 2]
if redis.call('HGET', key('vluchten'), flight) ~= leader then return answer('unknown', now, dispatch(now)) end
for _, id in ipairs(end_flight(flight)) do
  local call = read_call(id)
  if call and call[GRANTED] < 0 then
    if call[STATE] == WAITING then withdraw(id, call, now) end
    wake(call, 'o|' .. id .. '|' .. failure)
    forget_call(id)
  end
end
if failure == '' then redis.call('SET', key('geland:') .. flight, text(now), 'EX', LANDED) end
return answer('done', now, dispatch(now))
