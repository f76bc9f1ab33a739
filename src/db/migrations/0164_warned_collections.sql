-- The collections that a warning is about.
alter table account_warnings add column collection_ids bigint[] not null default '{}';
