-- Lists of accounts for moderators, and the deletion of the data of suspended accounts.

-- The filter by address takes ranges, which these indexes serve too.
create index users_sign_up_ip on users (sign_up_ip) where sign_up_ip is not null;
create index sessions_ip on sessions (ip) where ip is not null;
create index users_role on users (role_id);
create index users_pending on users (id desc) where not approved;
create index users_disabled on users (account_id desc) where disabled;

-- The progress of the job that deletes the data of a suspended account.
create table account_purges (
  account_id bigint primary key references accounts on delete cascade,
  statuses_total integer not null,
  statuses_deleted integer not null default 0,
  media_total integer not null,
  media_deleted integer not null default 0,
  started_at timestamptz not null default now(),
  finished_at timestamptz
);
