-- What is written down nowhere answers nobody. ARGV: ask, or empty and then a run with all its asks. Answers done.
local one = ARGV[3] ~= '' and (S.asks[ARGV[3]] or read('vragen', ARGV[3]))
local run_id = one and one.run or ARGV[3] == '' and ARGV[4]
local kept = run_id and not S.runs[run_id] and read('werken', run_id)
if not run_id or not (S.runs[run_id] or kept) then return finish('done') end

-- Nothing came of it, so it is none of those of this hour (rule L12).
local function uncount(ask)
  local rows = rows_of('gevraagd', ask.by)
  local place = row_of(rows, ask)
  if place then
    table.remove(rows, place)
    write_rows('gevraagd', 'vragers', ask.by, rows)
  end
end

for id, ask in pairs(S.asks) do
  if id == ARGV[3] or ARGV[3] == '' and ask.run == run_id then
    uncount(ask)
    S.asks[id] = nil
  end
end
for _, id in ipairs(kept_asks(run_id)) do
  if id == ARGV[3] or ARGV[3] == '' then
    local ask = read('vragen', id)
    uncount(ask)
    drop_ask(id, ask)
    redis.call('LREM', key('van:' .. run_id), 1, id)
  end
end
changed()
if S.runs[run_id] and #open_asks(run_id) == 0 then unwanted(run_id) end
if ARGV[3] == '' and kept and kept.state == 'ready' then
  kept.state = 'stopped'
  unready(run_id, kept)
  write('werken', run_id, kept)
end
start_who_may()
return finish('done')
