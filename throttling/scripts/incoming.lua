-- Requests come in: each passes the limit of its connector and that of its session, or is charged to neither. ARGV 1: now in
-- microseconds (empty: the server's clock). Each further ARGV is one request as one text: connector, step, room, session, step,
-- room, what must live, for how many seconds it then lives on. Kept of a key: the moment at which all it was given is earned back.
-- Answers one text, by request: 1 passed, 0 refused or 2 gone, and how far the two keys are ahead. Without functions, because
-- making them costs as much as a decision.
local now = tonumber(ARGV[1])
local played = now
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
local held, changed, answers = {}, {}, {}
for i = 2, #ARGV do
  local c, c_step, c_room, s, s_step, s_room, lives, life = string.match(ARGV[i],
    '^([^\31]*)\31([^\31]*)\31([^\31]*)\31([^\31]*)\31([^\31]*)\31([^\31]*)\31([^\31]*)\31([^\31]*)$')
  c, s = KEYS[1] .. 'c:' .. c, KEYS[1] .. 's:' .. s
  if lives ~= '' and redis.call('EXPIRE', KEYS[1] .. 'l:' .. lives, life) == 0 then
    answers[i - 1] = '2 0 0'
  else
    c_step, c_room, s_step, s_room = tonumber(c_step), tonumber(c_room), tonumber(s_step), tonumber(s_room)
    local c_ahead = (held[c] or tonumber(redis.call('GET', c) or 0) or 0) - now
    local s_ahead = (held[s] or tonumber(redis.call('GET', s) or 0) or 0) - now
    -- Further ahead than a burst lies a moment only after a clock was set back; from now on it does not.
    if not (c_ahead > 0) then c_ahead = 0 elseif c_ahead > c_room then
      c_ahead, held[c], changed[c] = c_room, now + c_room, c_room
    end
    if not (s_ahead > 0) then s_ahead = 0 elseif s_ahead > s_room then
      s_ahead, held[s], changed[s] = s_room, now + s_room, s_room
    end
    local c_next, s_next = c_ahead + c_step, s_ahead + s_step
    if c_next <= c_room and s_next <= s_room then
      held[c], held[s] = now + c_next, now + s_next
      changed[c], changed[s] = c_next, s_next
      answers[i - 1] = string.format('1 %.0f %.0f', c_next, s_next)
    else
      answers[i - 1] = string.format('0 %.0f %.0f', c_ahead, s_ahead)
    end
  end
end
for key, ahead in pairs(changed) do
  redis.call('SET', key, string.format('%.0f', now + ahead), 'PX', played and 3600000 or math.ceil(ahead / 1000))
end
return table.concat(answers, ',')
