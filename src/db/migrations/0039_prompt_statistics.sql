-- Statements are planned once for all values, and again when a table was analysed. A plan from before the first analysis knows
-- nothing about the rows, so it must not stay: with few accounts, PostgreSQL would never analyse them (its threshold is 50 rows),
-- take default shares for their columns, and read all their posts for a page. Each table is analysed when more than one row and a
-- tenth of its rows have changed. As parameters of the tables, this also holds on PostgreSQL servers with settings of their own.
do $$
declare
  relation regclass;
begin
  for relation in select oid from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
  loop
    execute format('alter table %s set (autovacuum_analyze_threshold = 1, autovacuum_analyze_scale_factor = 0.1)', relation);
  end loop;
end
$$;

-- Each act changes counters, but not how they are found: by primary key.
alter table account_stats set (autovacuum_analyze_threshold = 1000);
alter table status_stats set (autovacuum_analyze_threshold = 1000);
