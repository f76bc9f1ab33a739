-- The filters of the page with all hashtags: few of many hashtags are restricted or reviewed.
create index tags_limited on tags (id) where not (usable and listable and trendable is not false);
create index tags_reviewed on tags (id) where reviewed_at is not null;
