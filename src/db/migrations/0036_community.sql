-- Webhooks, announcements, translated rules, uploads of the server's look, and more about custom emojis.

create table webhooks (
  id bigint generated always as identity primary key,
  url text not null,
  events text[] not null,
  secret bytea not null, -- sealed with the token key; signs the bodies
  template text, -- JSON with placeholders; null: the whole payload
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index webhooks_url on webhooks (md5(url));

-- The last results, for the page of the webhook. Clean-up deletes old ones.
create table webhook_deliveries (
  id uuid primary key, -- of the job
  webhook_id bigint not null references webhooks on delete cascade,
  event text not null,
  attempts int not null default 1,
  http_status int,
  error text, -- why there was no response
  delivered_at timestamptz,
  failed_at timestamptz, -- after the last attempt
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, created_at desc);
create index webhook_deliveries_created on webhook_deliveries (created_at);

create table announcements (
  id bigint generated always as identity primary key,
  text text not null,
  published boolean not null default false,
  published_at timestamptz,
  scheduled_at timestamptz, -- a job publishes it then
  -- What it is about: it is taken down after the end. Of all-day events, only the dates count.
  starts_at timestamptz,
  ends_at timestamptz,
  all_day boolean not null default false,
  -- Public statuses that it links to.
  status_ids bigint[] not null default '{}',
  -- Whether publishing it mails all users, and when that began.
  mails_users boolean not null default false,
  mailed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index announcements_published on announcements (published_at desc, id desc) where published;
create index announcements_scheduled on announcements (scheduled_at) where scheduled_at is not null and not published;

-- Who has dismissed which.
create table announcement_mutes (
  announcement_id bigint not null references announcements on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  created_at timestamptz not null default now(),
  primary key (announcement_id, account_id)
);
create index announcement_mutes_account on announcement_mutes (account_id);

create table announcement_reactions (
  id bigint generated always as identity primary key,
  announcement_id bigint not null references announcements on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  name text not null, -- an emoji, or the shortcode of the custom emoji
  custom_emoji_id bigint references custom_emojis on delete cascade,
  created_at timestamptz not null default now(),
  unique (announcement_id, account_id, name)
);
create index announcement_reactions_account on announcement_reactions (account_id);
create index announcement_reactions_custom_emoji on announcement_reactions (custom_emoji_id) where custom_emoji_id is not null;

-- Reports refer to deleted rules.
alter table rules
  add deleted_at timestamptz,
  add updated_at timestamptz not null default now();

create table rule_translations (
  rule_id bigint not null references rules on delete cascade,
  language text not null,
  text text not null,
  hint text not null default '',
  primary key (rule_id, language)
);

alter table custom_emojis
  add created_at timestamptz not null default now(),
  -- Further shortcodes for the same image. Local emojis only.
  add aliases text[] not null default '{}';
create index custom_emojis_domain on custom_emojis (domain, shortcode) where domain is not null;
create index custom_emojis_category on custom_emojis (category) where domain is null;

-- Images of the server itself. `variants`: {"1x": key, …}
create table site_uploads (
  name text primary key check (name in ('thumbnail', 'favicon', 'app_icon')),
  variants jsonb not null,
  description text not null default '',
  blurhash text,
  updated_at timestamptz not null default now()
);
