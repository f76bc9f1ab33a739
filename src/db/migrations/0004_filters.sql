-- What people do not want to see: words, and posts.

create table filters (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  title text not null,
  context text[] not null,
  action text not null default 'warn' check (action in ('warn', 'hide', 'blur')),
  -- Made by a client that leaves hiding to the server: domain/filters/active.ts.
  irreversible boolean not null default false,
  expires_at timestamptz,
  created_at timestamptz not null default now()
);
create index filters_account on filters (account_id, id);
create index filters_irreversible on filters (account_id) where irreversible;

create table filter_keywords (
  id bigint generated always as identity primary key,
  filter_id bigint not null references filters on delete cascade,
  keyword text not null,
  whole_word boolean not null default true
);
create index filter_keywords_filter on filter_keywords (filter_id, id);

create table filter_statuses (
  id bigint generated always as identity primary key,
  filter_id bigint not null references filters on delete cascade,
  status_id bigint not null references statuses on delete cascade,
  unique (filter_id, status_id)
);
create index filter_statuses_status on filter_statuses (status_id);

-- Which state of somebody's filters is the current one. Who never had any has no row, and costs readers nothing.
create table filter_versions (
  account_id bigint primary key references accounts on delete cascade,
  version bigint not null default 1
);
