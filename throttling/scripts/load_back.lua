-- A worker that is asked to end gives its run back: no death, for another goes on with it. ARGV: run, worker. Answers back or lost.
local id, run = ARGV[3], S.runs[ARGV[3]]
if not run or run.state ~= 'runs' or run.worker ~= ARGV[4] then return finish('lost') end
if run.stop then
  end_run(id, 'stopped')
else
  charge(run)
  say_start(id)
end
return finish('back')
