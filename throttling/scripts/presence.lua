-- For how many seconds there was no sign of life under KEYS[1]. ARGV[1]: 1 gives one now. What nobody ever gave one under, counts from
-- the first look. A clock that is set back says nothing of when: then it is from now on.
local time = redis.call('TIME')
local now = time[1] + time[2] / 1e6
local last = tonumber(redis.call('GET', KEYS[1]) or '')
if ARGV[1] == '1' or not last or last > now then
  redis.call('SET', KEYS[1], string.format('%.3f', now))
  last = now
end
return tostring(now - last)
