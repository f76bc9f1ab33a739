-- Accounts that an edit of a local post stopped mentioning: they still hear of later edits and of the deletion.
create table former_mentions (
  status_id bigint not null references statuses on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  primary key (status_id, account_id)
);
create index former_mentions_account on former_mentions (account_id);
