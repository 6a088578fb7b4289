-- A worker begins a run that was started. ARGV: run, worker. Answers yes and how many workers died before it, or no.
local run = S.runs[ARGV[3]]
if not run or run.state ~= 'runs' or run.worker ~= '' and run.worker ~= ARGV[4] then return finish('no') end
if run.stop then
  end_run(ARGV[3], 'stopped')
  return finish('no')
end
run.worker, run.lease, run.from = ARGV[4], now + rules.lease, run.done
return finish('yes', run.deaths)
