-- Home feeds are unlogged and derived: the next read of each builds it again.
drop table home_feed;
truncate home_feeds;

-- One table: the rows of a fan-out go in the order of accounts, so that neighbours share pages of the index.
create unlogged table home_feed (
  account_id bigint not null,
  status_id bigint not null,
  original_id bigint not null, -- the boosted post, or the post itself
  author_id bigint not null, -- whose post, or boost, brought it here
  primary key (account_id, status_id)
) with (autovacuum_analyze_threshold = 1, autovacuum_analyze_scale_factor = 0.1); -- as in 0039
-- A post itself is found by the key, so that only boosts pay for a second index.
create index home_feed_boosts on home_feed (account_id, original_id) where original_id <> status_id;

-- The fan-out reads followers in the order of their ids, with what its rules need.
create index follows_fan_out on follows (target_account_id, account_id) include (show_reblogs, languages);

-- Each post asks whether followers want a notification: few do, and a popular author has very many followers.
create index follows_notify on follows (target_account_id, account_id) where notify;

-- Who hides a post: the fan-out looks it up by the author's domain.
create index account_domain_blocks_domain on account_domain_blocks (domain);
