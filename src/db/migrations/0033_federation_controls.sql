-- What administrators decide about other servers: severances that can be undone, block lists, relays, and what is known of servers.

-- One removal of the follows between local accounts and a domain or one account. It can be undone for 30 days.
create table severances (
  id bigint generated always as identity primary key,
  type text not null check (type in ('domain_block', 'account_suspension')),
  target_name text not null, -- a domain, or a handle
  target_account_id bigint references accounts on delete set null,
  announced boolean not null, -- whether the other servers receive an Undo or Reject of each follow
  severed_count int not null default 0,
  restored_count int not null default 0,
  created_at timestamptz not null default now(),
  severed_at timestamptz, -- null while the job works
  restore_requested_at timestamptz,
  restored_at timestamptz, -- null while the job works
  purged_at timestamptz
);
create index severances_target_account on severances (target_account_id, id desc) where target_account_id is not null;
create index severances_target_name on severances (target_name, id desc);
create index severances_unpurged on severances (created_at) where purged_at is null;

alter table relationship_severance_events add severance_id bigint references severances on delete set null;
create index relationship_severance_events_severance on relationship_severance_events (severance_id) where severance_id is not null;

create table severed_relationships (
  id bigint generated always as identity primary key,
  severance_id bigint not null references severances on delete cascade,
  event_id bigint references relationship_severance_events on delete set null,
  local_account_id bigint not null references accounts on delete cascade, -- lost the follow or the follower
  other_account_id bigint not null references accounts on delete cascade,
  direction text not null check (direction in ('following', 'follower')), -- as the local account sees it
  pending boolean not null, -- a follow request
  show_reblogs boolean not null,
  notify boolean not null,
  languages text[],
  uri text,
  list_ids bigint[] not null default '{}', -- lists of the local account that contained the other
  endorsed boolean not null default false,
  restored_at timestamptz,
  unique (severance_id, local_account_id, other_account_id, direction)
);
create index severed_relationships_event on severed_relationships (event_id, direction, id) where event_id is not null;
create index severed_relationships_local_account on severed_relationships (local_account_id);
create index severed_relationships_other_account on severed_relationships (other_account_id);

alter table domain_blocks
  -- The block was created by block lists alone, and no administrator has changed it since: a list may remove it.
  add managed boolean not null default false,
  -- When the job had applied the current severity to the domain's accounts; null while it works.
  add applied_at timestamptz,
  add affected_count int not null default 0; -- accounts
update domain_blocks set applied_at = created_at;

create table block_lists (
  id bigint generated always as identity primary key,
  title text not null,
  url text not null unique,
  mode text not null check (mode in ('apply', 'ask')),
  severity text not null default 'suspend' check (severity in ('noop', 'silence', 'suspend')), -- of domains that come without one
  etag text,
  fetched_at timestamptz, -- the last success
  next_fetch_at timestamptz not null default now(),
  error text, -- of the last attempt: a key of the message catalogue
  skipped_count int not null default 0, -- lines that could not be used
  created_at timestamptz not null default now()
);
create index block_lists_next_fetch on block_lists (next_fetch_at);

-- What each list says, and what became of it here.
create table block_list_entries (
  block_list_id bigint not null references block_lists on delete cascade,
  domain text not null,
  severity text not null check (severity in ('noop', 'silence', 'suspend')),
  reject_media boolean not null default false,
  reject_reports boolean not null default false,
  obfuscate boolean not null default false,
  public_comment text,
  -- proposed: waits for an administrator. retracted: the list does not contain it any more, and that waits.
  state text not null check (state in ('proposed', 'applied', 'declined', 'retracted')),
  created_at timestamptz not null default now(),
  primary key (block_list_id, domain)
);
create index block_list_entries_domain on block_list_entries (domain);

-- Servers that pass public posts on to each other's members.
create table relays (
  id bigint generated always as identity primary key,
  inbox_url text not null unique,
  state text not null default 'idle' check (state in ('idle', 'pending', 'accepted', 'rejected')),
  follow_uri text, -- of the Follow that was sent last
  created_at timestamptz not null default now()
);

alter table peers
  add software_version text,
  add users_count int,
  add node_info_at timestamptz, -- when NodeInfo was last asked for
  add stopped_at timestamptz; -- an administrator stopped deliveries
create index peers_node_info on peers (node_info_at nulls first);
create index peers_failing on peers (domain) where failing_since is not null;
insert into peers (domain) select distinct domain from accounts where domain is not null on conflict do nothing;

create table peer_traffic (
  domain text not null,
  day date not null,
  received int not null default 0, -- activities
  delivered int not null default 0,
  failed int not null default 0, -- attempts
  primary key (domain, day)
);
create index peer_traffic_day on peer_traffic (day);
