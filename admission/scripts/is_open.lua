-- Whether decisions are made: all was loaded since the server started.
return finish(is_open() and '1' or '0')
