-- Seats, of which there are so many over all processes: ARGV act, how many there are, seconds of a lease, holders.
-- take: 1 when the holder has a seat now, else 0. keep: how many of the holders still had theirs; those hold it for another
-- lease. leave: how many gave theirs back. look: how many are taken.
local act, most, lease = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1e6
local ends = string.format('%.6f', now + lease)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.6f', now))

local found = 0
if act == 'take' then
  if redis.call('ZCARD', KEYS[1]) < most then
    redis.call('ZADD', KEYS[1], ends, ARGV[4])
    found = 1
  end
elseif act == 'keep' then
  for place = 4, #ARGV do
    if redis.call('ZSCORE', KEYS[1], ARGV[place]) then
      redis.call('ZADD', KEYS[1], ends, ARGV[place])
      found = found + 1
    end
  end
elseif act == 'leave' then
  for place = 4, #ARGV do
    found = found + redis.call('ZREM', KEYS[1], ARGV[place])
  end
else
  found = redis.call('ZCARD', KEYS[1])
end
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
if last[2] then
  redis.call('EXPIRE', KEYS[1], math.ceil(tonumber(last[2]) - now) + 1)
end
return found
