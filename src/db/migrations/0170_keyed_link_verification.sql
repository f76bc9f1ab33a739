-- One job for each account waits, whose jobs were not keyed before. A new database has no queues yet.
do $$ begin
  if to_regclass('pgboss.queue') is not null then
    update pgboss.queue set policy = 'short' where name = 'accounts.verify-links';
  end if;
end $$;
