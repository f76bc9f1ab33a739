-- As accounts_name_pairs.
create index collections_name_pairs on collections using gin (character_pairs(' ' || lower(name))) where discoverable;
