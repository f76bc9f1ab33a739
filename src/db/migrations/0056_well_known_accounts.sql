-- The accounts with the most followers, which searches for a common word read. An hourly task fills it.
create table well_known_accounts (
  account_id bigint primary key references accounts on delete cascade,
  name text not null, -- as in the index accounts_name_trgm
  followers_count int not null
) with (autovacuum_analyze_threshold = 1, autovacuum_analyze_scale_factor = 0.1); -- as in 0039
