-- Accounts that staff does not want to be suggested to anyone.
create table follow_recommendation_suppressions (
  account_id bigint primary key references accounts on delete cascade,
  created_at timestamptz not null default now()
);
