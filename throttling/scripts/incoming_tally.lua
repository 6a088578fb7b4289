-- What came in lately: ARGV: how many are counts, then name and number of each (refusals and passes of this minute, kept an
-- hour), then key and number of the busiest keys of these ten minutes. Read by incoming_seen.lua.
local time = tonumber(redis.call('TIME')[1])
local counts, keys = KEYS[1] .. 'm:' .. math.floor(time / 60), KEYS[1] .. 'k:' .. math.floor(time / 600)
local last = 1 + 2 * tonumber(ARGV[1])
for i = 2, last, 2 do redis.call('HINCRBY', counts, ARGV[i], ARGV[i + 1]) end
for i = last + 1, #ARGV, 2 do redis.call('ZINCRBY', keys, ARGV[i + 1], ARGV[i]) end
if last > 1 then redis.call('EXPIRE', counts, 3660) end
if #ARGV > last then
  redis.call('ZREMRANGEBYRANK', keys, 0, -501)
  redis.call('EXPIRE', keys, 4200)
end
return 'ok'
