-- Trends: use per day, scores, and the review by staff.

-- Who used a hashtag or a link today. The row is the account's own, so that concurrent posts do not wait for each other. Rows of
-- past days move to tag_days and link_days, and hold no references: they live for a day.
create table tag_uses (
  day date not null, -- UTC
  tag_id bigint not null,
  account_id bigint not null,
  uses int not null default 1,
  primary key (day, tag_id, account_id)
);
create table link_uses (
  day date not null,
  card_id bigint not null,
  account_id bigint not null,
  uses int not null default 1,
  primary key (day, card_id, account_id)
);

create table tag_days (
  tag_id bigint not null references tags on delete cascade,
  day date not null,
  uses int not null,
  accounts int not null,
  primary key (tag_id, day)
);
create index tag_days_day on tag_days (day);
create table link_days (
  card_id bigint not null references preview_cards on delete cascade,
  day date not null,
  uses int not null,
  accounts int not null,
  primary key (card_id, day)
);
create index link_days_day on link_days (day);

-- The peak is remembered for some days after a trend has decayed, so that the same use does not make it trend again.
create table tag_trends (
  tag_id bigint primary key references tags on delete cascade,
  peak float8 not null,
  peak_at timestamptz not null,
  score float8 not null, -- the peak, decayed
  rank int, -- null: decayed
  language text -- of most posts
);
create index tag_trends_rank on tag_trends (rank) where rank is not null;
create table link_trends (
  card_id bigint primary key references preview_cards on delete cascade,
  peak float8 not null,
  peak_at timestamptz not null,
  score float8 not null,
  rank int,
  language text
);
create index link_trends_rank on link_trends (rank) where rank is not null;
create table status_trends (
  status_id bigint primary key references statuses on delete cascade,
  score float8 not null,
  rank int not null,
  language text,
  requested_review_at timestamptz
);
create index status_trends_rank on status_trends (rank);

-- Review. `trendable` is null until staff decides; the setting `trendable_by_default` then counts.
alter table tags
  add column trendable boolean,
  add column usable boolean not null default true,
  add column listable boolean not null default true,
  add column reviewed_at timestamptz,
  add column requested_review_at timestamptz;
alter table preview_cards
  add column trendable boolean,
  add column requested_review_at timestamptz;
alter table statuses add column trendable boolean;
alter table accounts add column trendable boolean; -- all of its posts
create table preview_card_providers (
  id bigint generated always as identity primary key,
  domain text not null unique, -- holds for subdomains, unless they have a row
  trendable boolean,
  reviewed_at timestamptz,
  requested_review_at timestamptz,
  created_at timestamptz not null default now()
);

-- Hashtags that were used lately, and those that are not plain.
create index tags_last_status on tags (last_status_at) where last_status_at is not null;
create index tags_unusable on tags (id) where not usable;

-- Favourites by day: trends, and the measure of interactions.
create index favourites_created on favourites (created_at);
-- Sign-ups by day.
create index users_created on users (created_at);

insert into tag_days (tag_id, day, uses, accounts)
select st.tag_id, (s.created_at at time zone 'utc')::date as day, count(*), count(distinct s.account_id)
from statuses s join status_tags st on st.status_id = s.id
where s.id >= ((extract(epoch from now() - interval '8 days') * 1000)::bigint << 16) and s.visibility = 'public'
group by st.tag_id, day;
