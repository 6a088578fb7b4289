-- A worker begins a run that was started. ARGV: run, worker. Answers yes, how many workers died before it and how
-- far they came, or no. This is the real start of who waited for it (rule L11).
local run = S.runs[ARGV[3]]
if not run or run.state ~= 'runs' or run.worker ~= '' and run.worker ~= ARGV[4] then return finish('no') end
if run.stop then
  end_run(ARGV[3], 'stopped')
  return finish('no')
end
if run.worker == '' then run.started = now end
for _, ask in ipairs(run.begun and {} or open_asks(ARGV[3])) do keep_told(ask, now) end
S.unmanned = nil
run.worker, run.begun, run.lease, run.from, run.left = ARGV[4], true, now + rules.lease, run.done, -1
run.heard = now
changed()
return finish('yes', run.deaths, run.done, run.size)
