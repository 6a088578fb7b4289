-- Whether something is done for the first time in ARGV[1] seconds: 1, or 0.
return redis.call('SET', KEYS[1], '1', 'NX', 'EX', tonumber(ARGV[1])) and 1 or 0
