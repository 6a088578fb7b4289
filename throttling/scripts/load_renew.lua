-- A worker goes on. ARGV: run, worker, parts done, parts in all, seconds that it will take still (-1: it cannot tell). Answers on,
-- stop (cancelled) or lost (its lease ended).
local run = S.runs[ARGV[3]]
if not run or run.state ~= 'runs' or run.worker ~= ARGV[4] then return finish('lost') end
if run.stop then return finish('stop') end
run.lease, run.done, run.size = now + rules.lease, tonumber(ARGV[5]), tonumber(ARGV[6])
run.left, run.said, run.heard = tonumber(ARGV[7]), now, now
-- Another version begins anew: its parts are all its own.
if run.done < run.from then run.from = run.done end
dirty = true
return finish('on')
