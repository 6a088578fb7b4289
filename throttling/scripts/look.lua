-- The queue as it is: state, sessions, calls, charges, as text that both sides read.
if not load() then return { 'lost' } end
local now = clock()
sweep(now)
save()
return {
  'done',
  redis.call('GET', key('staat')),
  redis.call('HGETALL', key('sessies')),
  redis.call('HGETALL', key('aanroepen')),
  redis.call('ZRANGE', key('venster'), 0, -1, 'WITHSCORES'),
  redis.call('LRANGE', key('kring'), 0, -1),
  redis.call('ZRANGE', key('leases'), 0, -1, 'WITHSCORES'),
  redis.call('HGETALL', key('vluchten')),
}
