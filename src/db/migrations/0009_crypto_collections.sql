-- Devices that speak in private, collections of accounts, the year in review, and what goes on behind a request.

-- What encrypts the seals on private messages: a new one each week, gone after three.
create table system_keys (
  id bigint generated always as identity primary key,
  key bytea not null,
  created_at timestamptz not null default now()
);

-- A token has one device at most. Keys and signatures are base64, as they came.
create table devices (
  id bigint generated always as identity primary key,
  token_id bigint not null unique references oauth_tokens on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  device_id text not null, -- as the client calls it
  name text not null,
  fingerprint_key text not null, -- Ed25519
  identity_key text not null, -- Curve25519
  created_at timestamptz not null default now(),
  constraint devices_name unique (account_id, device_id)
);

create table one_time_keys (
  id bigint generated always as identity primary key,
  device_id bigint not null references devices on delete cascade,
  key_id text not null,
  key text not null,
  signature text not null,
  constraint one_time_keys_once unique (device_id, key_id)
);

create table encrypted_messages (
  id bigint primary key,
  device_id bigint not null references devices on delete cascade,
  from_account_id bigint not null references accounts on delete cascade,
  from_device_id text not null,
  type int not null check (type in (0, 1)), -- 0: begins a session
  body text not null,
  digest text not null,
  message_franking text not null,
  created_at timestamptz not null default now()
);
create index encrypted_messages_device on encrypted_messages (device_id, id);
create index encrypted_messages_from on encrypted_messages (from_account_id);

-- Collections --------------------------------------------------------------------------------------------------------

alter table roles add collection_limit int not null default 10;

create table collections (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  name text not null,
  description text not null default '', -- as typed
  language text,
  tag_id bigint references tags on delete set null,
  sensitive boolean not null default false,
  discoverable boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index collections_account on collections (account_id, id desc);
create index collections_tag on collections (tag_id) where tag_id is not null;

create table collection_items (
  id bigint primary key,
  collection_id bigint not null references collections on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  -- What was revoked stays, so that nobody is put back against their will.
  state text not null default 'accepted' check (state in ('pending', 'accepted', 'rejected', 'revoked')),
  created_at timestamptz not null default now(),
  constraint collection_items_once unique (collection_id, account_id)
);
create index collection_items_account on collection_items (account_id, collection_id);

-- The year in review -------------------------------------------------------------------------------------------------

create table annual_reports (
  account_id bigint not null references accounts on delete cascade,
  year int not null,
  schema_version int not null,
  data jsonb not null,
  viewed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, year)
);

-- Work behind a request that clients may ask after. Nothing is lost with it, hence unlogged.
create unlogged table async_refreshes (
  key text primary key,
  result_count int,
  started_at timestamptz not null default now(),
  finished_at timestamptz
);
create index async_refreshes_started on async_refreshes (started_at);
