-- Copies of remote files, whose total stays within a budget (`domain/media/cache.ts`).
create table cached_files (
  key text primary key,
  owner text not null, -- what the file belongs to, such as `media/1234`: its files are used and dropped together
  bytes bigint not null check (bytes >= 0),
  stored_at timestamptz not null default now(),
  used_at timestamptz not null default now(), -- to the hour
  evicting_since timestamptz -- while the file is being deleted
);
create index cached_files_used_at on cached_files (used_at);
create index cached_files_owner on cached_files (owner);

-- One row: the sum over cached_files, which changes in the same statements.
create table media_cache (
  id boolean primary key default true check (id),
  bytes bigint not null default 0 check (bytes >= 0)
);
insert into media_cache default values;

-- The sizes of earlier copies are not known. They are fetched again when somebody asks for them; `rookery media
-- remove-orphans` deletes the old files.
update media_attachments set file_key = null, preview_key = null where remote_url is not null and (file_key is not null or preview_key is not null);
update accounts set avatar_key = null, avatar_static_key = null, header_key = null, header_static_key = null
where domain is not null and (avatar_key is not null or header_key is not null);
delete from remote_emojis;
update preview_cards set image_key = null where image_key is not null;

-- Files are dropped by their key.
create index remote_emojis_image_key on remote_emojis (image_key);
