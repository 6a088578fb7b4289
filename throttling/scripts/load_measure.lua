-- What a process measures. ARGV: process, then signal and share (0 and up), smoothed, or signal:ongezien and for how many seconds
-- there has been nothing to see it by; without any it ends. Answers done.
local seen = { at = now }
for i = 4, #ARGV, 2 do seen[ARGV[i]] = tonumber(ARGV[i + 1]) end
if ARGV[4] then
  SEEN[ARGV[3]] = seen
  write('gezien', ARGV[3], seen)
else
  SEEN[ARGV[3]] = nil
  redis.call('HDEL', key('gezien'), ARGV[3])
end
weigh()
start_who_may()
return finish('done')
