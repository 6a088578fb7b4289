-- The events after one, oldest first. ARGV: the id of that one (empty: from the first kept), how many at most.
return redis.call('XRANGE', key('e'), ARGV[2] == '' and '-' or '(' .. ARGV[2], '+', 'COUNT', ARGV[3])
