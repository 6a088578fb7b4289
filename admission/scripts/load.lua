-- A contract comes back after the server was started again. ARGV: contract, workload, issuer, tier, in flight, units and state
-- changes granted, seconds it still lives, in flight of its workload, pools, whether it was revoked, units and state changes left
-- at the last checkpoint, margins for what was used since, then its operations. Never more than what still stood here.
local id, workload, issuer, ends = ARGV[2], ARGV[3], ARGV[4], now + tonumber(ARGV[9])
local C = contract(id)
if C and C.run == RUN and C.status ~= 'revoked' then return finish('there') end
local left, wleft = tonumber(ARGV[13]), tonumber(ARGV[14])
local _, workload_barred = ban('w', workload)
local _, issuer_barred = ban('i', issuer)
local revoked = ARGV[12] == '1' or workload_barred or issuer_barred
if C then
  revoked = revoked or ended(C) == 'contract-revoked'
  -- One that was revoked before it was loaded knows nothing else.
  if C.workload then left, wleft, ends = math.min(left, C.left), math.min(wleft, C.wleft), math.min(ends, C.ends) end
end
left, wleft = math.max(left - tonumber(ARGV[15]), 0), math.max(wleft - tonumber(ARGV[16]), 0)
redis.call('DEL', key('c', id))
local operations = {}
for i = 17, #ARGV do operations[#operations + 1] = ARGV[i] end
write_contract(id, {
  'status', revoked and 'revoked' or 'active', 'ends', exact(ends), 'cap', ARGV[6], 'left', whole(left), 'wleft', whole(wleft),
  'workload', workload, 'issuer', issuer, 'tier', ARGV[5], 'wcap', ARGV[10], 'pools', ARGV[11],
  'units', ARGV[7], 'writes', ARGV[8],
}, operations)
index(id, workload, ends)
return finish(revoked and 'revoked' or 'loaded')
