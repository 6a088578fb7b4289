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
local ahead = math.min(math.max((tonumber(redis.call('GET', opener) or 0) or 0) - now, 0), room)
if ahead + step <= room then
  redis.call('SET', opener, string.format('%.0f', now + ahead + step), 'PX',
    played and 3600000 or math.ceil((ahead + step) / 1000))
  redis.call('SET', KEYS[1] .. 'l:' .. ARGV[2], '1', 'EX', life)
end
return string.format('%.0f', ahead)
