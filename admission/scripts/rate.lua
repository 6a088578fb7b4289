-- How often something may be asked, by several rates at once: all of them, or none is charged. ARGV: of each rate its name, units
-- and the seconds in which these are earned back. Answers the seconds to wait, 0 when it may be now.
local taken, wait = {}, 0
for i = 2, #ARGV, 3 do
  local place, units, seconds = key('r', ARGV[i]), tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
  local full_at = math.max(tonumber(redis.call('GET', place) or '') or 0, now) + seconds / units
  wait = math.max(wait, full_at - now - seconds - 1e-6)
  taken[#taken + 1] = { place, full_at, seconds }
end
if wait <= 0 then
  for _, one in ipairs(taken) do
    redis.call('SET', one[1], exact(one[2]), 'EX', PLAYED == '' and math.ceil(2 * one[3]) or 3600)
  end
end
return finish(whole(math.ceil(math.max(wait, 0))))
