-- How often something was used in its current period, by all processes together: each takes a few uses at a time.
-- Unlogged: after a crash the periods begin anew. Rows change in place, as no index has the counts.
create unlogged table rate_limits (
  key text primary key,
  uses int not null,
  expires_at timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.5);
