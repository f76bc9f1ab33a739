-- When the account of an item of a remote collection was last seen to authorize it.
alter table collection_items add verified_at timestamptz;
