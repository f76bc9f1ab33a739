-- Fediverse Auxiliary Service Providers: services such as search and discovery that administrators connect.

create table fasp_providers (
  id bigint generated always as identity primary key,
  name text not null,
  base_url text not null, -- without a trailing slash
  server_id text not null, -- what the provider calls this server: names the key that signs requests to it
  public_key text not null, -- of the provider: Ed25519, PEM
  private_key bytea not null, -- of this server, for this provider: PEM, sealed with the token key
  confirmed_at timestamptz, -- null: a registration that waits for an administrator
  -- What the provider says about itself.
  capabilities jsonb not null default '[]', -- [{id, version}]
  privacy_policy jsonb not null default '[]', -- [{url, language}]
  sign_in_url text,
  contact_email text,
  fediverse_account text,
  enabled text[] not null default '{}', -- the ids of capabilities that administrators selected
  failing_since timestamptz,
  retry_at timestamptz, -- no requests before, because it did not answer
  created_at timestamptz not null default now()
);

-- Calls by which a provider answers a debug call.
create table fasp_debug_callbacks (
  id bigint generated always as identity primary key,
  provider_id bigint not null references fasp_providers on delete cascade,
  ip text not null,
  body text not null,
  created_at timestamptz not null default now()
);
create index fasp_debug_callbacks_provider on fasp_debug_callbacks (provider_id, id);
