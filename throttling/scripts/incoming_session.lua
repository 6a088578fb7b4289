-- A session of an assistant begins or ends. ARGV: now in microseconds (empty: the server's clock), the session, for how many
-- seconds it lives (0: it ends), who opens it, step, room. Answers how far the opener was ahead: below its room by a step and it
-- is open.
local now = tonumber(ARGV[1])
local played = now
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
local life, opener, step, room = tonumber(ARGV[3]), KEYS[1] .. 'o:' .. ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
if life == 0 then return redis.call('DEL', KEYS[1] .. 'l:' .. ARGV[2]) end
local owed = (tonumber(redis.call('GET', opener) or 0) or 0) - now
local ahead = math.min(math.max(owed, 0), room)
local opens = ahead + step <= room
if opens then redis.call('SET', KEYS[1] .. 'l:' .. ARGV[2], '1', 'EX', life) end
if opens or owed > room then -- further ahead only after a clock was set back
  local now_owed = opens and ahead + step or ahead
  redis.call('SET', opener, string.format('%.0f', now + now_owed), 'PX',
    played and 3600000 or math.ceil(now_owed / 1000))
end
return string.format('%.0f', ahead)
