-- What a process measures. ARGV: process, then signal and share (0 and up), smoothed. Answers done.
local seen = { at = now }
for i = 4, #ARGV, 2 do seen[ARGV[i]] = tonumber(ARGV[i + 1]) end
S.seen[ARGV[3]] = seen
weigh()
start_who_may()
return finish('done')
