-- Who an account is at the OpenID Connect provider. One provider names one account once.
create table identities (
  issuer text not null,
  subject text not null,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject),
  unique (user_id, issuer)
);

-- Users who sign in at the provider have no password until they choose one.
alter table users alter column password_hash drop not null;

-- Sign-ins that wait for the answer of the provider. Only the browser has the secrets whose digests are stored.
create table identity_requests (
  state_digest bytea primary key,
  browser_digest bytea not null,
  next text,
  invite_code text not null default '',
  -- Who connects an account, as opposed to signing in.
  user_id bigint references users on delete cascade,
  expires_at timestamptz not null
);

-- Identities without an account, whose owner is filling in the sign-up form.
create table identity_sign_ups (
  digest bytea primary key,
  issuer text not null,
  subject text not null,
  username text not null,
  display_name text not null,
  email text,
  email_verified boolean not null,
  next text,
  invite_code text not null,
  expires_at timestamptz not null
);

create index identity_requests_expiry on identity_requests (expires_at);
create index identity_requests_user on identity_requests (user_id) where user_id is not null;
create index identity_sign_ups_expiry on identity_sign_ups (expires_at);
create index identity_sign_ups_identity on identity_sign_ups (issuer, subject);
