-- What auxiliary service providers want to hear of, and have yet to hear.

create table fasp_subscriptions (
  id bigint generated always as identity primary key,
  provider_id bigint not null references fasp_providers on delete cascade,
  category text not null, -- account, content
  type text not null, -- lifecycle, trends
  max_batch_size int not null,
  -- Of trends: within so many minutes, a post needs one of the other three.
  timeframe int,
  shares int,
  likes int,
  replies int,
  created_at timestamptz not null default now(),
  unique nulls not distinct (provider_id, category, type, max_batch_size, timeframe, shares, likes, replies)
);

-- Those of which events are recorded.
create view active_fasp_subscriptions as
  select s.* from fasp_subscriptions s join fasp_providers p on p.id = s.provider_id
  where p.confirmed_at is not null and 'data_sharing' = any(p.enabled);

-- Events that wait to be announced, in their order. They name what others may see when they are announced, not when they happen.
create table fasp_events (
  id bigint generated always as identity primary key,
  subscription_id bigint not null references fasp_subscriptions on delete cascade,
  type text not null, -- new, update, delete, trending
  object_id bigint not null, -- of an account or a status
  -- Of what is deleted.
  uri text, -- null: derived from the username and the id
  username text,
  created_at timestamptz not null default now()
);
create index fasp_events_subscription on fasp_events (subscription_id, id);
create index fasp_events_created on fasp_events (created_at);

-- Requests for what was there before, newest first.
create table fasp_backfills (
  id bigint generated always as identity primary key,
  provider_id bigint not null references fasp_providers on delete cascade,
  category text not null,
  max_count int not null,
  before_id bigint, -- the next announcement names older objects than this one
  waiting boolean not null default true, -- an announcement is due
  fulfilled_at timestamptz, -- nothing is left
  created_at timestamptz not null default now()
);
create index fasp_backfills_provider on fasp_backfills (provider_id);

-- Everything that changes whether and how an account is found changes its row: its owner, its server, moderators, domain blocks,
-- deletion. So a trigger records it. Acts record events of statuses, and accounts whose server deletes them.
create function note_fasp_accounts() returns trigger language plpgsql as $$
begin
  if not exists (select from active_fasp_subscriptions where category = 'account') then return null; end if;
  insert into fasp_events (subscription_id, type, object_id)
  select s.id, case when is_shared and was_shared then 'update' when is_shared then 'new' else 'delete' end, change.id
  from (
    select a.id, a.discoverable is true and a.suspended_at is null and a.silenced_at is null as is_shared,
      b.discoverable is true and b.suspended_at is null and b.silenced_at is null as was_shared,
      (a.username, a.display_name, a.note, a.fields, a.indexable, a.actor_type, a.avatar_key, a.avatar_remote_url, a.header_key, a.header_remote_url, a.moved_to_id)::text
        <> (b.username, b.display_name, b.note, b.fields, b.indexable, b.actor_type, b.avatar_key, b.avatar_remote_url, b.header_key, b.header_remote_url, b.moved_to_id)::text as is_changed
    from after a join before b on b.id = a.id
  ) change cross join active_fasp_subscriptions s
  where s.category = 'account' and (is_shared <> was_shared or (is_shared and is_changed));
  return null;
end $$;
create trigger note_fasp after update on accounts referencing old table as before new table as after for each statement execute function note_fasp_accounts();

create function note_fasp_account() returns trigger language plpgsql as $$
begin
  insert into fasp_events (subscription_id, type, object_id)
  select id, 'new', new.id from active_fasp_subscriptions where category = 'account';
  return null;
end $$;
create trigger note_fasp_insert after insert on accounts for each row when (new.discoverable and new.suspended_at is null and new.silenced_at is null) execute function note_fasp_account();
