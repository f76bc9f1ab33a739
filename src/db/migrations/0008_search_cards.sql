-- Finding posts again, previews of what they link to, and their translations.

-- What posts are found by, as lexemes: domain/statuses/search-index.ts. Only those that somebody may find are in here. One
-- row for the post, and one for each person of this server who keeps it (favourite, bookmark), with their name on it: so that
-- what somebody may find is in the index too, and never has to be filtered out of what others wrote.
create table status_search (
  status_id bigint not null references statuses on delete cascade,
  keeper_id bigint references accounts on delete cascade, -- null: the post itself
  document tsvector not null,
  unique nulls not distinct (status_id, keeper_id)
);
create index status_search_keeper on status_search (keeper_id) where keeper_id is not null;
-- Without a list of pending entries: every search would have to read through it.
create index status_search_document on status_search using gin (document) with (fastupdate = off);

-- Posts are divided by age into shares of some thousands, named in each document by the lowest id. A search for a common word
-- looks through share after share, the newest first, and stops when it has a page. See domain/statuses/search-shares.ts.
create table search_shares (lower_id bigint primary key);
insert into search_shares values (0);

create table preview_cards (
  id bigint generated always as identity primary key,
  link text not null unique, -- as posts have it
  url text not null default '', -- as the page calls itself
  type text not null default 'link' check (type in ('link', 'photo', 'video', 'rich')),
  title text not null default '',
  description text not null default '',
  language text,
  author_name text not null default '',
  author_url text not null default '',
  -- Whom the page names as its author. It counts where they name one of its hosts: itself and what it is beneath.
  creator_id bigint references accounts on delete set null,
  hosts text[] not null default '{}',
  provider_name text not null default '',
  provider_url text not null default '',
  html text not null default '',
  width int not null default 0,
  height int not null default 0,
  embed_url text not null default '',
  image_key text,
  image_description text not null default '',
  blurhash text,
  published_at timestamptz,
  fetched_at timestamptz, -- null: there is nothing to show (yet)
  retry_at timestamptz not null default now(), -- until then the page is left alone
  created_at timestamptz not null default now()
);
create index preview_cards_creator on preview_cards (creator_id) where creator_id is not null;
create index preview_cards_url on preview_cards (url);
create index preview_cards_created on preview_cards (created_at);

alter table statuses add column card_id bigint references preview_cards on delete set null;
create index statuses_card on statuses (card_id, id desc) where card_id is not null;

-- What a backend was asked and paid for once. Of the post as it was, which the digest tells.
create table status_translations (
  status_id bigint not null references statuses on delete cascade,
  language text not null,
  digest bytea not null,
  translation jsonb not null,
  created_at timestamptz not null default now(),
  primary key (status_id, language)
);
create index status_translations_created on status_translations (created_at);
