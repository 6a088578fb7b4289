-- A process is still there: ARGV the ids of its calls, and "v:" with each flight it leads. Also the way to look again.
if not load() then return 'lost' end
local now = clock()
for i = REST, #ARGV do
  local id = ARGV[i]
  if redis.call('ZSCORE', key('leases'), id) then lease(id, now) end
end
sweep(now)
return answer('done', now, dispatch(now))
