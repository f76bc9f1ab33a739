-- The first statement of a page finds ids and what decides whether they are shown. From these indexes alone, it reads one page
-- of the index instead of a page of the table for each row.
drop index statuses_public;
create index statuses_public on statuses (id desc) include (account_id, local)
  where visibility = 'public' and reblog_of_id is null and not reply;
drop index statuses_account;
create index statuses_account on statuses (account_id, id desc)
  include (visibility, approval, reblog_of_id, reply, in_reply_to_account_id);
drop index notifications_account;
create index notifications_account on notifications (account_id, id desc)
  include (from_account_id, status_id, subject_id, type, group_key, filtered, created_at);

-- PostgreSQL trusts the index for pages that a vacuum has visited since they changed. A vacuum after some thousand inserts visits
-- only the new pages; the default waits for a fifth of the table.
alter table statuses set (autovacuum_vacuum_insert_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0);
alter table notifications set (autovacuum_vacuum_insert_threshold = 5000, autovacuum_vacuum_insert_scale_factor = 0);
