-- A worker ends. ARGV: run, worker, how: ready, failed or stopped; why it failed, in a word of its own. Answers done, or lost when its lease ended.
local id, run = ARGV[3], S.runs[ARGV[3]]
if not run or run.state ~= 'runs' or run.worker ~= ARGV[4] then return finish('lost') end
local parts = run.done - run.from
if ARGV[5] == 'ready' and parts > 0 then
  learn(run, parts, now - run.started)
end
if ARGV[5] == 'failed' and (ARGV[6] or '') ~= '' then run.why = ARGV[6] end
end_run(id, ARGV[5])
start_who_may()
return finish('done')
