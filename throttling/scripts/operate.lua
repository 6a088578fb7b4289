-- What an operator does without a restart: ARGV "off" text (empty: on), "cap" units (0: none), "empty", or "unblock".
if not load() then return 'lost' end
local now = clock()
sweep(now)
local act, value = ARGV[REST], ARGV[REST + 1]
if act == 'off' then
  S.off = value
elseif act == 'cap' then
  S.cap = tonumber(value) > 0 and tonumber(value) or nil
elseif act == 'unblock' then
  S.blocked = 0
end
if act == 'empty' or (act == 'off' and value ~= '') then
  local ids = redis.call('HKEYS', key('aanroepen'))
  table.sort(ids)
  for _, id in ipairs(ids) do
    local call = read_call(id)
    if call and call[GRANTED] < 0 then
      leave(id, now)
      wake(call, 'x|' .. id .. '|' .. S.off)
    end
  end
end
return answer('done', now, dispatch(now))
