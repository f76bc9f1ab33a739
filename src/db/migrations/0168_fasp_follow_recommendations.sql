-- The accounts that auxiliary service providers recommend to a local account.
create table fasp_follow_recommendations (
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  created_at timestamptz not null default now(),
  primary key (account_id, target_account_id)
);
create index fasp_follow_recommendations_created on fasp_follow_recommendations (created_at);
create index fasp_follow_recommendations_target on fasp_follow_recommendations (target_account_id);
