-- How much other hosts made this server do, by the hour. A host counts with its subdomains and ports, as anybody can make up as
-- many of these as they like. A crash may empty both tables.
create unlogged table host_budgets (
  host text not null,
  hour timestamptz not null,
  requests int not null default 0, -- to it
  caused int not null default 0, -- to any host, by what it delivered
  accounts int not null default 0, -- of it, stored here for the first time
  refused int not null default 0, -- requests and accounts over its budget
  primary key (host, hour)
);
create index host_budgets_hour on host_budgets (hour);

-- Outgoing requests by what caused them: one delivery of another server, or one request of a client.
create unlogged table cause_budgets (
  id bigint primary key,
  documents int not null default 0,
  extras int not null default 0, -- media, previews and the like
  started_at timestamptz not null default now()
);
create index cause_budgets_started on cause_budgets (started_at);

-- When counters, pinned posts and hashtags of a remote account were last read.
alter table account_stats add column refreshed_at timestamptz;
