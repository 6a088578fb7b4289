-- A call comes in: ARGV id, process, session, visitor, cost, flight, solo, heir of.
if not load() then return { 'lost' } end
local now = clock()
sweep(now)
local id, process, name, visitor = ARGV[REST], ARGV[REST + 1], ARGV[REST + 2], ARGV[REST + 3]
local cost = math.min(tonumber(ARGV[REST + 4]), rules.units)
local flight, solo, heir_of = ARGV[REST + 5], ARGV[REST + 6], ARGV[REST + 7]
local call = { name, visitor, cost, -1, 0, 0, 0, 0, process, flight, solo, WAITING }
local s = read_session(name)
if heir_of ~= '' then
  if s[AGE] == 0 and s[USED] == 0 then s[USED] = read_session(heir_of)[USED] end
  s[HEIR] = heir_of
end

if S.off ~= '' then return answer('off', now, NEVER) end
if now < S.closed then return answer('closed', now, S.closed) end
if flight ~= '' and redis.call('HEXISTS', key('vluchten'), flight) == 1 then
  if s[COUNT] == 0 then
    begins(s, now)
    write_session(name, s)
    seen(name, now)
  end
  call[OLD_G0], call[OLD_T0], call[OLD_AGE] = s[G0], s[T0], s[AGE]
  call[STATE] = FOLLOWING
  redis.call('SADD', key('volgers:') .. flight, id)
  write_call(id, call)
  lease(id, now)
  return answer('follows', now, NEVER)
end
if S.waiting == 0 and now >= S.blocked and open(now) and room(cost, now) then
  begins(s, now)
  if s[TAG] > S.virtual then S.virtual = s[TAG] end
  grant(name, s, id, call, now, true)
  write_session(name, s)
  seen(name, now)
  return answer('granted', now, NEVER)
end
if rules.most > 0 then
  if S.waiting >= rules.most or redis.call('LLEN', row(name, visitor)) >= rules.most_of_session then
    return answer('full', now, NEVER)
  end
end
if flight ~= '' then redis.call('SADD', key('volgers:') .. flight, id) end
lease(id, now)
if solo ~= '' and redis.call('HEXISTS', key('solo'), solo) == 1 then
  call[STATE] = PARKED
  redis.call('RPUSH', key('geparkeerd:') .. solo, id)
  write_call(id, call)
  return answer('waits', now, NEVER)
end
if solo ~= '' then redis.call('HSET', key('solo'), solo, id) end
write_call(id, call)
enqueue(name, s, id, call, now)
write_call(id, call)
write_session(name, s)
return answer('waits', now, dispatch(now))
