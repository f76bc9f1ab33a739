-- Polls, quotes, and posts that wait for their time.

-- What a post has none of costs its readers nothing: they see it in the row.
alter table statuses
  add column poll_id bigint,
  add column quote_id bigint,
  -- Who may quote it, in bits: domain/statuses/quote-policy.ts.
  add column quote_policy int not null default 0;

create table polls (
  id bigint primary key,
  status_id bigint not null unique references statuses on delete cascade,
  options text[] not null,
  tallies int[] not null, -- votes for each option
  voters_count int, -- null: its server does not tell
  multiple boolean not null default false,
  hide_totals boolean not null default false,
  expires_at timestamptz, -- null: on some servers polls never end
  closed_at timestamptz, -- when people were told of its end
  fetched_at timestamptz -- of remote polls: when its server was last heard of it
);
create index polls_open on polls (expires_at) where closed_at is null;

create table poll_votes (
  id bigint generated always as identity primary key,
  poll_id bigint not null references polls on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  choice smallint not null,
  created_at timestamptz not null default now(),
  unique (poll_id, account_id, choice)
);
create index poll_votes_account on poll_votes (account_id);

create table quotes (
  id bigint primary key,
  status_id bigint not null unique references statuses on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  quoted_status_id bigint references statuses on delete set null,
  quoted_account_id bigint references accounts on delete set null,
  quoted_uri text, -- of a post of another server
  state text not null default 'pending' check (state in ('pending', 'accepted', 'rejected', 'revoked')),
  -- The stamp by which the author of a quoted post of another server agreed. Stamps of our people are derived from the id.
  approval_uri text,
  -- By what name another server asked us for agreement.
  request_uri text,
  created_at timestamptz not null default now()
);
create index quotes_quoted on quotes (quoted_status_id, id desc) where quoted_status_id is not null;
create index quotes_account on quotes (account_id);
create index quotes_quoted_account on quotes (quoted_account_id) where quoted_account_id is not null;
create index quotes_uri on quotes (quoted_uri) where quoted_status_id is null;
create index quotes_approval on quotes (approval_uri) where approval_uri is not null;

alter table status_edits add column poll_options text[]; -- null: there was no poll

create table scheduled_statuses (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  app_id bigint references oauth_apps on delete set null,
  scheduled_at timestamptz not null,
  params jsonb not null, -- domain/statuses/scheduled.ts
  created_at timestamptz not null default now()
);
create index scheduled_statuses_account on scheduled_statuses (account_id, id desc);
create index scheduled_statuses_due on scheduled_statuses (scheduled_at);

-- Media that a waiting post holds are no orphans.
alter table media_attachments add column scheduled_status_id bigint references scheduled_statuses on delete set null;
create index media_attachments_scheduled on media_attachments (scheduled_status_id) where scheduled_status_id is not null;

alter table idempotency_keys add column scheduled_status_id bigint references scheduled_statuses on delete cascade;
