-- Which of their old statuses people have deleted automatically.
create table statuses_cleanup_policies (
  account_id bigint primary key references accounts on delete cascade,
  enabled boolean not null,
  min_status_age int not null check (min_status_age > 0), -- days
  keep_direct boolean not null,
  keep_pinned boolean not null,
  keep_polls boolean not null,
  keep_media boolean not null,
  keep_self_fav boolean not null,
  keep_self_bookmark boolean not null,
  min_favs int check (min_favs > 0), -- statuses with as many favourites are kept; null: none is kept for this
  min_reblogs int check (min_reblogs > 0),
  inspected_id bigint not null default 0, -- the last status that this round has looked at
  applied_at timestamptz not null default now() -- those that waited longest come first
);
create index statuses_cleanup_policies_applied on statuses_cleanup_policies (applied_at) where enabled;
