-- What readers cache in memory, and when it changes. Each change of a cached row appends an entry in its own transaction,
-- no matter what made the change: a request, a job or a command. Processes read the entries that committed since they last looked
-- (src/db/changes.ts). The table is unlogged, as no cache survives a crash of PostgreSQL either.
create unlogged table changes (
  -- What changed: status, status-count (counters and poll), card, account, account-count, token, mark, relation, filter, setting.
  kind text not null,
  -- What changed, as ids; for marks, pairs of an account and a status. Null: everything of the kind.
  ids bigint[],
  xid xid8 not null default pg_current_xact_id()
);
create index changes_xid on changes (xid);

-- Triggers on inserts run for each row, as nearly all inserts have one. Those on updates and deletes run for each statement, as
-- the deletion of an account may delete very many rows. One that changes more than 1,000 notes a change of everything of the kind.

create function note_statuses() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids)
  select 'status', case when count(*) <= 1000 then array_agg(id) end from changed having count(*) > 0;
  return null;
end $$;
create trigger note_update after update on statuses referencing new table as changed for each statement execute function note_statuses();
create trigger note_delete after delete on statuses referencing old table as changed for each statement execute function note_statuses();

create function note_status_parts() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids)
  select 'status', case when count(*) <= 1000 then array_agg(status_id) end from changed where status_id is not null having count(*) > 0;
  return null;
end $$;
create trigger note_update after update on quotes referencing new table as changed for each statement execute function note_status_parts();

create function note_status_counts() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids)
  select 'status-count', case when count(*) <= 1000 then array_agg(status_id) end from changed having count(*) > 0;
  return null;
end $$;
create trigger note_update after update on status_stats referencing new table as changed for each statement execute function note_status_counts();
create trigger note_update after update on polls referencing new table as changed for each statement execute function note_status_counts();

create function note_status_count() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids) values ('status-count', array[new.status_id]);
  return null;
end $$;
create trigger note_delete after delete on polls referencing old table as changed for each statement execute function note_status_parts();
create trigger note_delete after delete on quotes referencing old table as changed for each statement execute function note_status_parts();
create trigger note_delete after delete on media_attachments referencing old table as changed for each statement execute function note_status_parts();

create function note_status_part() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids) values ('status', array[new.status_id]);
  return null;
end $$;
-- The first interaction with an old status. New statuses have counters of zero.
create trigger note_insert after insert on status_stats for each row when (new.replies_count <> 0 or new.reblogs_count <> 0 or new.favourites_count <> 0 or new.quotes_count <> 0) execute function note_status_count();
-- Not when a new status takes its attachments.
create trigger note_update after update on media_attachments for each row when (old.status_id is not null and new.status_id is not null) execute function note_status_part();

create function note_cards() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids)
  select 'card', case when count(*) <= 1000 then array_agg(id) end from changed having count(*) > 0;
  return null;
end $$;
create trigger note_update after update on preview_cards referencing new table as changed for each statement execute function note_cards();
create trigger note_delete after delete on preview_cards referencing old table as changed for each statement execute function note_cards();

create function note_accounts() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids)
  select 'account', case when count(*) <= 1000 then array_agg(id) end from changed having count(*) > 0;
  return null;
end $$;
create trigger note_update after update on accounts referencing new table as changed for each statement execute function note_accounts();
create trigger note_delete after delete on accounts referencing old table as changed for each statement execute function note_accounts();

create function note_account_counts() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids)
  select 'account-count', case when count(*) <= 1000 then array_agg(account_id) end from changed having count(*) > 0;
  return null;
end $$;
create trigger note_update after update on account_stats referencing new table as changed for each statement execute function note_account_counts();

create function note_users() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids)
  select 'account', case when count(*) <= 1000 then array_agg(account_id) end from changed having count(*) > 0;
  return null;
end $$;
create trigger note_delete after delete on users referencing old table as changed for each statement execute function note_users();

create function note_account_count() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids) values ('account-count', array[new.account_id]);
  return null;
end $$;
create trigger note_insert after insert on account_stats for each row execute function note_account_count();

create function note_user() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids) values ('account', array[new.account_id]);
  return null;
end $$;
create trigger note_insert after insert on users for each row execute function note_user();
-- Not the time of the last activity, which changes often.
create trigger note_update after update of account_id, email, unconfirmed_email, role_id, confirmed_at, approved, disabled, locale, settings on users
  for each row execute function note_user();

create function note_everything() returns trigger language plpgsql as $$
begin
  insert into changes (kind) values (tg_argv[0]);
  return null;
end $$;
create trigger note_change after insert or update or delete on roles for each statement execute function note_everything('account');
create trigger note_change after insert or update or delete on settings for each statement execute function note_everything('setting');
-- Remote emojis are part of the statuses and accounts that use them.
create trigger note_insert after insert on custom_emojis for each row when (new.domain is null) execute function note_everything('setting');
create trigger note_update after update on custom_emojis for each row when (new.domain is null or old.domain is null) execute function note_everything('setting');
create trigger note_delete after delete on custom_emojis for each row when (old.domain is null) execute function note_everything('setting');

create function note_tokens() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids)
  select 'token', case when count(*) <= 1000 then array_agg(id) end from changed having count(*) > 0;
  return null;
end $$;
create trigger note_delete after delete on oauth_tokens referencing old table as changed for each statement execute function note_tokens();

create function note_token() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids) values ('token', array[new.id]);
  return null;
end $$;
create trigger note_update after update of digest, app_id, user_id, scopes on oauth_tokens for each row execute function note_token();

-- What accounts did with statuses.

create function note_marks() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids)
  select 'mark', case when count(*) <= 1000 then array_agg(array[account_id, status_id]) end from changed having count(*) > 0;
  return null;
end $$;
create trigger note_delete after delete on favourites referencing old table as changed for each statement execute function note_marks();
create trigger note_delete after delete on bookmarks referencing old table as changed for each statement execute function note_marks();
create trigger note_delete after delete on status_pins referencing old table as changed for each statement execute function note_marks();

create function note_mark() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids) values ('mark', array[new.account_id, new.status_id]);
  return null;
end $$;
create trigger note_insert after insert on favourites for each row execute function note_mark();
create trigger note_insert after insert on bookmarks for each row execute function note_mark();
create trigger note_insert after insert on status_pins for each row execute function note_mark();

create function note_lost_reblogs() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids)
  select 'mark', case when count(*) <= 1000 then array_agg(array[account_id, reblog_of_id]) end from changed where reblog_of_id is not null having count(*) > 0;
  return null;
end $$;
create trigger note_delete_reblog after delete on statuses referencing old table as changed for each statement execute function note_lost_reblogs();

create function note_reblog() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids) values ('mark', array[new.account_id, new.reblog_of_id]);
  return null;
end $$;
create trigger note_insert_reblog after insert on statuses for each row when (new.reblog_of_id is not null) execute function note_reblog();

create function note_votes() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids)
  select 'mark', case when count(*) <= 1000 then array_agg(array[v.account_id, p.status_id]) end
  from changed v join polls p on p.id = v.poll_id having count(*) > 0;
  return null;
end $$;
create trigger note_insert after insert on poll_votes referencing new table as changed for each statement execute function note_votes();
create trigger note_delete after delete on poll_votes referencing old table as changed for each statement execute function note_votes();

-- A muted conversation concerns all its statuses: zero stands for all.

create function note_conversation_mutes() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids)
  select 'mark', case when count(*) <= 1000 then array_agg(array[account_id, 0]) end from changed having count(*) > 0;
  return null;
end $$;
create trigger note_delete after delete on conversation_mutes referencing old table as changed for each statement execute function note_conversation_mutes();

create function note_conversation_mute() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids) values ('mark', array[new.account_id, 0::bigint]);
  return null;
end $$;
create trigger note_insert after insert on conversation_mutes for each row execute function note_conversation_mute();

-- Relations concern both sides.

create function note_relations() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids)
  select 'relation', case when count(*) <= 1000 then array_agg(array[account_id, target_account_id]) end from changed having count(*) > 0;
  return null;
end $$;
create trigger note_delete after delete on follows referencing old table as changed for each statement execute function note_relations();
create trigger note_delete after delete on blocks referencing old table as changed for each statement execute function note_relations();
create trigger note_delete after delete on mutes referencing old table as changed for each statement execute function note_relations();
create trigger note_update after update on mutes referencing new table as changed for each statement execute function note_relations();

create function note_relation() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids) values ('relation', array[new.account_id, new.target_account_id]);
  return null;
end $$;
create trigger note_insert after insert on follows for each row execute function note_relation();
create trigger note_insert after insert on blocks for each row execute function note_relation();
create trigger note_insert after insert on mutes for each row execute function note_relation();

create function note_domain_blocks() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids)
  select 'relation', case when count(*) <= 1000 then array_agg(account_id) end from changed having count(*) > 0;
  return null;
end $$;
create trigger note_delete after delete on account_domain_blocks referencing old table as changed for each statement execute function note_domain_blocks();

create function note_domain_block() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids) values ('relation', array[new.account_id]);
  return null;
end $$;
create trigger note_insert after insert on account_domain_blocks for each row execute function note_domain_block();

create function note_list_members() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids)
  select 'relation', case when count(*) <= 1000 then array_agg(owner_id) end from changed having count(*) > 0;
  return null;
end $$;
create trigger note_update after update on list_accounts referencing new table as changed for each statement execute function note_list_members();
create trigger note_delete after delete on list_accounts referencing old table as changed for each statement execute function note_list_members();

create function note_list_member() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids) values ('relation', array[new.owner_id]);
  return null;
end $$;
create trigger note_insert after insert on list_accounts for each row execute function note_list_member();

-- Accounts with filters have one version row each.

create function note_filters() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids)
  select 'filter', case when count(*) <= 1000 then array_agg(account_id) end from changed having count(*) > 0;
  return null;
end $$;
create trigger note_update after update on filter_versions referencing new table as changed for each statement execute function note_filters();

create function note_filter() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids) values ('filter', array[new.account_id]);
  return null;
end $$;
create trigger note_insert after insert on filter_versions for each row execute function note_filter();
