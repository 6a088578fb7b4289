-- An event that no decision here wrote. ARGV: its kind, then names and values.
local fields = {}
for i = 3, #ARGV do fields[#fields + 1] = ARGV[i] end
event(ARGV[2], fields)
return finish('noted')
