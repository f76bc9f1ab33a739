-- What staff write about other servers, for each other.
create table server_moderation_notes (
  id bigint generated always as identity primary key,
  domain text not null references peers on delete cascade,
  account_id bigint references accounts on delete set null, -- the author
  content text not null,
  created_at timestamptz not null default now()
);
create index server_moderation_notes_domain on server_moderation_notes (domain, id);
create index server_moderation_notes_account on server_moderation_notes (account_id) where account_id is not null;
