-- A call that did not pass at once (see direct.lua) waits, follows another, or is refused.
sweep(now)
if S.off ~= '' then return answer('off', now, NEVER) end
if now < S.closed then return answer('closed', now, S.closed) end
if follows() then
  local s = session()
  if s[COUNT] == 0 then
    if s[LAST] == 0 then seen(name, now) end
    begins(s, now)
    s[LAST] = now
    write_session(name, s)
  end
  call[OLD_G0], call[OLD_T0], call[OLD_AGE] = s[G0], s[T0], s[AGE]
  call[STATE] = FOLLOWING
  redis.call('SADD', key('volgers:') .. flight, id)
  write_call(id, call)
  lease(id, now)
  return answer('follows', now, NEVER)
end
if passes() then return answer(granted(), now, NEVER) end
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
local s = session()
write_call(id, call)
enqueue(name, s, id, call, now)
write_call(id, call)
write_session(name, s)
return answer('waits', now, dispatch(now))
