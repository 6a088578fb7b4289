-- The database knows that grants may be given for so many seconds more: ARGV seconds.
if not load() then return 'lost' end
local now = clock()
sweep(now)
S.may_until = math.max(S.may_until, now + tonumber(ARGV[REST]))
return answer('done', now, dispatch(now))
