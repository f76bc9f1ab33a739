-- Custom emojis of other servers, kept here once somebody looked at one, so that readers need not ask those servers.
create table remote_emojis (
  digest bytea primary key, -- of the address
  image_key text not null,
  static_key text not null,
  looked_at timestamptz not null default now()
);
create index remote_emojis_looked_at on remote_emojis (looked_at);
