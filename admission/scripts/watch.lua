-- Whether what goes on may go on. ARGV: contract and token of each. Answers of each why it must stop, or nothing. A token that
-- is over by itself stops nothing that began in time.
local answers = {}
for i = 2, #ARGV, 2 do
  local stop = stopped(contract(ARGV[i]))
  if not stop and (tonumber(redis.call('ZSCORE', key('t'), ARGV[i + 1]) or 0) or 0) > now then stop = 'token-invalid' end
  answers[#answers + 1] = stop or ''
end
return finish(table.concat(answers, '|'))
