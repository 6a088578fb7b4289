-- The breaker of one service: ARGV act, failures that open it, seconds of rest. Answers whether a call may go, and seconds
-- until the next trial (empty: it is closed).
local act, most, rest = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1e6
local failures = tonumber(redis.call('HGET', KEYS[1], 'fouten') or '0')
local trial = tonumber(redis.call('HGET', KEYS[1], 'proef') or '0')

local function open_until(moment)
  trial = moment
  redis.call('HSET', KEYS[1], 'fouten', failures, 'proef', string.format('%.6f', moment))
  redis.call('EXPIRE', KEYS[1], math.ceil(rest * 20))
end

local may = 1
if act == 'ok' or act == 'reset' then
  redis.call('DEL', KEYS[1])
  trial = 0
elseif act == 'failed' then
  failures = failures + 1
  open_until(failures >= most and now + rest or 0)
elseif act == 'may' and trial > 0 then
  if now < trial and trial - now <= rest then
    may = 0
  else
    open_until(now + rest)
  end
end
return { may, trial > 0 and string.format('%.6f', math.max(math.min(trial - now, rest), 0)) or '' }
