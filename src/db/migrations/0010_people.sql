-- What people need to look after their own account: second factors, imports, archives, moving.

-- The key of an authenticator app. Without `confirmed_at` it was shown, and nobody has proved to have it yet.
create table totp_keys (
  user_id bigint primary key references users on delete cascade,
  sealed bytea not null,
  confirmed_at timestamptz,
  last_step bigint, -- the time step of the last code that was used: none works twice
  created_at timestamptz not null default now()
);

-- Codes for whoever has lost the rest. Deleted when they are used.
create table recovery_codes (
  user_id bigint not null references users on delete cascade,
  digest bytea not null,
  primary key (user_id, digest)
);

create table passkeys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  sign_count bigint not null default 0,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- Challenges are signed, not stored; those that were answered are, until they expire, lest an answer is used again.
create table spent_challenges (
  digest bytea primary key,
  expires_at timestamptz not null
);

-- Somebody whose password was right, and who is asked for a second factor.
create table sign_in_steps (
  digest bytea primary key,
  user_id bigint not null references users on delete cascade,
  attempts int not null default 0,
  expires_at timestamptz not null
);

-- Lists that people bring along from elsewhere.
create table imports (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  type text not null check (type in ('following', 'blocking', 'muting', 'domain_blocking', 'bookmarks', 'lists')),
  overwrite boolean not null,
  file_name text not null,
  state text not null default 'unconfirmed' check (state in ('unconfirmed', 'running', 'finished')),
  -- Whether lists were made, and whatever an import replaces was removed, before the first row.
  prepared boolean not null default false,
  total int not null,
  done int not null default 0,
  failed int not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index imports_account on imports (account_id, id desc);

-- Rows that wait, and rows that failed; what succeeded is deleted.
create table import_rows (
  id bigint generated always as identity primary key,
  import_id bigint not null references imports on delete cascade,
  data jsonb not null,
  error text
);
create index import_rows_import on import_rows (import_id, id);

create table archives (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  state text not null default 'working' check (state in ('working', 'ready', 'failed')),
  done int not null default 0,
  total int not null default 0,
  file_key text,
  file_size bigint,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index archives_account on archives (account_id, id desc);

-- When people of this server moved, for the time that has to pass before the next move.
create table account_moves (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint references accounts on delete set null,
  acct text not null,
  followers_count int not null,
  created_at timestamptz not null default now()
);
create index account_moves_account on account_moves (account_id, id desc);
