-- Reports, warnings, appeals, the states of moderated accounts, and the log of what staff did.

create table reports (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  uri text unique, -- of a Flag activity that was received
  category text not null default 'other' check (category in ('spam', 'legal', 'violation', 'other')),
  comment text not null default '',
  status_ids bigint[] not null default '{}',
  collection_ids bigint[] not null default '{}',
  rule_ids bigint[] not null default '{}',
  forwarded_to text[] not null default '{}', -- domains
  assigned_account_id bigint references accounts on delete set null,
  action_taken_at timestamptz,
  action_taken_by_account_id bigint references accounts on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index reports_target_account on reports (target_account_id, id desc);
create index reports_account on reports (account_id, id desc);
create index reports_unresolved on reports (id desc) where action_taken_at is null;
create index reports_created on reports (created_at);
create index reports_resolved on reports (action_taken_at) where action_taken_at is not null;
create index reports_assigned_account on reports (assigned_account_id) where assigned_account_id is not null;
create index reports_action_taken_by on reports (action_taken_by_account_id) where action_taken_by_account_id is not null;

create table report_notes (
  id bigint generated always as identity primary key,
  report_id bigint not null references reports on delete cascade,
  account_id bigint references accounts on delete set null, -- the author
  content text not null,
  created_at timestamptz not null default now()
);
create index report_notes_report on report_notes (report_id, id);
create index report_notes_account on report_notes (account_id) where account_id is not null;

create table account_moderation_notes (
  id bigint generated always as identity primary key,
  target_account_id bigint not null references accounts on delete cascade,
  account_id bigint references accounts on delete set null, -- the author
  content text not null,
  created_at timestamptz not null default now()
);
create index account_moderation_notes_target on account_moderation_notes (target_account_id, id);
create index account_moderation_notes_account on account_moderation_notes (account_id) where account_id is not null;

-- Strikes: https://docs.joinmastodon.org/entities/AccountWarning/
create table account_warnings (
  id bigint generated always as identity primary key,
  account_id bigint references accounts on delete set null, -- the staff member; null also for the command line
  target_account_id bigint not null references accounts on delete cascade,
  report_id bigint references reports on delete set null,
  action text not null check (action in ('none', 'disable', 'mark_statuses_as_sensitive', 'delete_statuses', 'sensitive', 'silence', 'suspend')),
  text text not null default '',
  status_ids bigint[] not null default '{}',
  overruled_at timestamptz, -- by an appeal, or by undoing the action
  created_at timestamptz not null default now()
);
create index account_warnings_target_account on account_warnings (target_account_id, id desc);
create index account_warnings_account on account_warnings (account_id) where account_id is not null;
create index account_warnings_report on account_warnings (report_id) where report_id is not null;

create table account_warning_presets (
  id bigint generated always as identity primary key,
  title text not null default '',
  text text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table appeals (
  id bigint generated always as identity primary key,
  account_warning_id bigint not null unique references account_warnings on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  text text not null,
  approved_at timestamptz,
  approved_by_account_id bigint references accounts on delete set null,
  rejected_at timestamptz,
  rejected_by_account_id bigint references accounts on delete set null,
  created_at timestamptz not null default now()
);
create index appeals_account on appeals (account_id);
create index appeals_pending on appeals (id desc) where approved_at is null and rejected_at is null;
create index appeals_approved_by on appeals (approved_by_account_id) where approved_by_account_id is not null;
create index appeals_rejected_by on appeals (rejected_by_account_id) where rejected_by_account_id is not null;

alter table accounts
  -- Who suspended it: moderators of this server, or its own server (which calls it `suspended` in its actor document).
  add suspension_origin text check (suspension_origin in ('local', 'remote')),
  -- When a job deletes the data of a suspended account; until then, the suspension can be undone.
  add purge_at timestamptz,
  -- Its data is gone for good: deleted by its owner, or after its suspension.
  add purged_at timestamptz;
create index accounts_purge on accounts (purge_at) where purge_at is not null;
create index accounts_suspended on accounts (id desc) where suspended_at is not null;
create index accounts_silenced on accounts (id desc) where silenced_at is not null;
create index accounts_sensitized on accounts (id desc) where sensitized_at is not null;
update accounts set purged_at = suspended_at where suspended_at is not null;

-- What staff did, by pages, API and command line. Labels stay readable after their target is gone.
create table audit_log (
  id bigint generated always as identity primary key,
  account_id bigint references accounts on delete set null, -- null: the command line
  action text not null,
  target_type text not null,
  target_id text,
  target_label text not null default '',
  details jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index audit_log_account on audit_log (account_id, id desc);
create index audit_log_target on audit_log (target_type, target_id, id desc);
create index audit_log_action on audit_log (target_type, action, id desc);
