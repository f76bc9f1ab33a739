-- Collections of accounts on other servers (FEP-7aa9).

alter table accounts
  add featured_collections_url text,
  -- Who may add the remote account to collections, in the form of statuses.quote_policy; 0 without a policy.
  add feature_policy int not null default 0;

-- Null for local collections. The description of a remote one is sanitised HTML.
alter table collections
  add uri text constraint collections_uri unique,
  add url text;

-- An item of a remote collection names an account by its URI until its authorization is verified.
alter table collection_items
  alter account_id drop not null,
  add uri text,
  add object_uri text,
  add approval_uri text,
  add constraint collection_items_account check (account_id is not null or (state <> 'accepted' and object_uri is not null)),
  add constraint collection_items_uri unique (collection_id, uri);
create index collection_items_approval on collection_items (approval_uri) where approval_uri is not null;
