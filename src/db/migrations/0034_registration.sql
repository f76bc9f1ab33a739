-- Who may sign up: blocks of addresses, e-mail domains, e-mail addresses and usernames; invitations; terms of service; roles.

create table ip_blocks (
  id bigint generated always as identity primary key,
  ip cidr not null unique, -- IPv4-mapped addresses are stored as IPv4
  severity text not null check (severity in ('sign_up_requires_approval', 'sign_up_block', 'no_access')),
  comment text not null default '',
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index ip_blocks_range on ip_blocks using gist (ip inet_ops);
create index ip_blocks_expiry on ip_blocks (expires_at) where expires_at is not null;

-- `domain` may also be the IP address of a mail server.
alter table email_domain_blocks
  add allow_with_approval boolean not null default false,
  -- The domain whose mail servers were blocked along with it: removing that block removes these.
  add parent_id bigint references email_domain_blocks on delete cascade;
create index email_domain_blocks_parent on email_domain_blocks (parent_id) where parent_id is not null;

-- Sign-ups that a block refused or held back, for seven days.
create table email_domain_block_attempts (
  block_id bigint not null references email_domain_blocks on delete cascade,
  day date not null,
  ip inet not null,
  uses int not null default 1,
  primary key (block_id, day, ip)
);
create index email_domain_block_attempts_day on email_domain_block_attempts (day);

create table canonical_email_blocks (
  id bigint generated always as identity primary key,
  canonical_email_hash text not null unique, -- SHA-256 in hexadecimal
  reference_account_id bigint references accounts on delete set null, -- the suspended account that had the address
  created_at timestamptz not null default now()
);
create index canonical_email_blocks_account on canonical_email_blocks (reference_account_id) where reference_account_id is not null;

create table username_blocks (
  id bigint generated always as identity primary key,
  username text not null,
  normalized_username text not null unique, -- look-alikes replaced, see domain/registration/username-blocks.ts
  exact boolean not null default false, -- otherwise, names that contain it are blocked too
  allow_with_approval boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table invites (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  code text not null unique,
  comment text not null default '',
  autofollow boolean not null default false, -- those who use it follow the inviter
  max_uses int check (max_uses > 0),
  uses int not null default 0,
  expires_at timestamptz,
  created_at timestamptz not null default now()
);
create index invites_user on invites (user_id, id desc);
alter table users add invite_id bigint references invites on delete set null;
create index users_invite on users (invite_id) where invite_id is not null;

create index roles_name on roles (lower(name));

create table terms_of_service (
  id bigint generated always as identity primary key,
  text text not null,
  changelog text not null default '',
  effective_date date,
  published_at timestamptz, -- null: a draft
  -- Mails about it: how many users receive one, and how many jobs have written so far.
  mailing_started_at timestamptz,
  mails_total int not null default 0,
  mails_sent int not null default 0,
  mailed_up_to bigint not null default 0, -- the id of the last user with a mail
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (published_at is null or effective_date is not null)
);
create unique index terms_of_service_effective_date on terms_of_service (effective_date) where published_at is not null;
create unique index terms_of_service_draft on terms_of_service ((true)) where published_at is null; -- one draft at a time
