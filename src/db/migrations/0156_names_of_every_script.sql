-- The index of trigrams knows ASCII letters and digits alone, unless the database has a locale of its own. This one finds names in
-- other scripts, by their neighbouring characters of which one is not ASCII.
create function character_pairs(value text) returns text[] language sql immutable parallel safe
return array(
  select a || b from unnest(string_to_array(value, null), (string_to_array(value, null))[2:]) as pair (a, b)
  where octet_length(a || b) > 2
);
create index accounts_name_pairs on accounts
  using gin (character_pairs(' ' || lower(username || ' ' || display_name || ' ' || coalesce(domain, ''))));
