-- Notifications of automated accounts, as Mastodon 4.6 lets people filter them.
alter table notification_policies
  add for_bots text not null default 'accept' check (for_bots in ('accept', 'filter', 'drop'));

-- Collections are found by words of their name.
create index collections_name_trgm on collections using gin (lower(name) gin_trgm_ops) where discoverable;
