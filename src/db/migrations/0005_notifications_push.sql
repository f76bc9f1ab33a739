-- What notifications are about beside posts, whose are held back, and where they are pushed to.

alter table notifications
  -- By type: the severance event, the warning, the report, the collection. What it names may be gone.
  add subject_id bigint,
  -- Held back by the recipient's policy: shown in requests only.
  add filtered boolean not null default false,
  drop constraint notifications_account_id_from_account_id_type_status_id_key,
  add constraint notifications_once unique nulls not distinct (account_id, from_account_id, type, status_id, subject_id);
create index notifications_group on notifications (account_id, group_key, id desc) where group_key is not null;
create index notifications_filtered on notifications (account_id, from_account_id, id desc) where filtered;

-- Without a row, what the defaults say holds.
create table notification_policies (
  account_id bigint primary key references accounts on delete cascade,
  for_not_following text not null default 'accept' check (for_not_following in ('accept', 'filter', 'drop')),
  for_not_followers text not null default 'accept' check (for_not_followers in ('accept', 'filter', 'drop')),
  for_new_accounts text not null default 'accept' check (for_new_accounts in ('accept', 'filter', 'drop')),
  for_private_mentions text not null default 'accept' check (for_private_mentions in ('accept', 'filter', 'drop')),
  for_limited_accounts text not null default 'filter' check (for_limited_accounts in ('accept', 'filter', 'drop'))
);

-- Whose notifications are let through whatever the policy says.
create table notification_permissions (
  account_id bigint not null references accounts on delete cascade,
  from_account_id bigint not null references accounts on delete cascade,
  created_at timestamptz not null default now(),
  primary key (account_id, from_account_id)
);
create index notification_permissions_from on notification_permissions (from_account_id);

-- One for each sender of filtered notifications. What it holds is counted from these; without any, it is not shown.
create table notification_requests (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  from_account_id bigint not null references accounts on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, from_account_id)
);
create index notification_requests_account on notification_requests (account_id, id desc);
create index notification_requests_from on notification_requests (from_account_id);

-- Accepted requests whose notifications are not yet among the others.
create table notification_merges (
  account_id bigint not null references accounts on delete cascade,
  from_account_id bigint not null references accounts on delete cascade,
  primary key (account_id, from_account_id)
);
create index notification_merges_from on notification_merges (from_account_id);

-- What somebody lost at once: to a domain block of their own or of the server, to the suspension of an account.
create table relationship_severance_events (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  type text not null check (type in ('domain_block', 'user_domain_block', 'account_suspension')),
  target_name text not null, -- a domain, or a handle
  purged boolean not null default false,
  followers_count int not null,
  following_count int not null,
  created_at timestamptz not null default now()
);
create index relationship_severance_events_account on relationship_severance_events (account_id);

create table push_subscriptions (
  id bigint generated always as identity primary key,
  token_id bigint not null unique references oauth_tokens on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  endpoint text not null,
  p256dh text not null, -- both keys as base64url without padding
  auth text not null,
  standard boolean not null default false, -- aes128gcm (RFC 8291); otherwise the draft aesgcm
  alerts text[] not null default '{}', -- types of notifications
  policy text not null default 'all' check (policy in ('all', 'followed', 'follower', 'none')),
  created_at timestamptz not null default now()
);
create index push_subscriptions_account on push_subscriptions (account_id);
