-- The text of reported posts that were deleted before a moderator decided on the report.
create table deleted_reported_statuses (
  id bigint primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  spoiler_text text not null,
  content text not null,
  language text,
  poll_options text[] not null,
  -- One for each file, empty where it had none.
  media_descriptions text[] not null,
  created_at timestamptz not null,
  deleted_at timestamptz not null default now()
);
create index deleted_reported_statuses_account on deleted_reported_statuses (account_id);
create index deleted_reported_statuses_deleted on deleted_reported_statuses (deleted_at);
