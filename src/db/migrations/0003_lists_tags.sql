-- Lists of people, hashtags that are followed or shown on profiles, people who are put forward.

create table lists (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  title text not null,
  replies_policy text not null default 'list' check (replies_policy in ('followed', 'list', 'none')),
  exclusive boolean not null default false,
  created_at timestamptz not null default now()
);
create index lists_account on lists (account_id, id);

create table list_accounts (
  id bigint generated always as identity primary key,
  list_id bigint not null references lists on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  -- As of the list, repeated for the indexes: who has somebody in an exclusive list is asked for every post.
  owner_id bigint not null references accounts on delete cascade,
  exclusive boolean not null,
  unique (list_id, account_id)
);
create index list_accounts_page on list_accounts (list_id, id desc);
create index list_accounts_account on list_accounts (account_id, owner_id);
create index list_accounts_exclusive on list_accounts (owner_id, account_id) where exclusive;
create index list_accounts_excluded on list_accounts (account_id, owner_id) where exclusive;

create table followed_tags (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  tag_id bigint not null references tags on delete cascade,
  created_at timestamptz not null default now(),
  unique (account_id, tag_id)
);
create index followed_tags_page on followed_tags (account_id, id desc);
create index followed_tags_tag on followed_tags (tag_id, id);

create table featured_tags (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  tag_id bigint not null references tags on delete cascade,
  name text not null, -- as the account spells it
  created_at timestamptz not null default now(),
  unique (account_id, tag_id)
);
create index featured_tags_tag on featured_tags (tag_id);

create table endorsements (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  created_at timestamptz not null default now(),
  unique (account_id, target_account_id)
);
create index endorsements_page on endorsements (account_id, id desc);
create index endorsements_target on endorsements (target_account_id);

-- Whom somebody does not want to be suggested.
create table suggestion_dismissals (
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  primary key (account_id, target_account_id)
);
create index suggestion_dismissals_target on suggestion_dismissals (target_account_id);

-- The directory, by its two orders.
create index accounts_discoverable on accounts (id desc) where discoverable and suspended_at is null and silenced_at is null and moved_to_id is null;
create index account_stats_active on account_stats (last_status_at desc nulls last, account_id desc);

-- Where the featured hashtags of an account of another server are told.
alter table accounts add column featured_tags_url text;
