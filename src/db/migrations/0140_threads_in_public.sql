-- The public timelines contain what authors add to their own threads.
drop index statuses_public;
create index statuses_public on statuses (id desc) include (account_id, local)
  where visibility = 'public' and reblog_of_id is null and (not reply or in_reply_to_account_id = account_id);
drop index statuses_public_local;
create index statuses_public_local on statuses (id desc)
  where visibility = 'public' and reblog_of_id is null and (not reply or in_reply_to_account_id = account_id) and local;
