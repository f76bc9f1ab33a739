-- When the authorization of a quote by the quoted author's server was last read.
alter table quotes add column checked_at timestamptz not null default now();
