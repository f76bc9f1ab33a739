-- Searches for hashtags leave out those that only private posts have used. A tag has this time once a public or unlisted one has.
update tags set last_status_at = null
where last_status_at is not null and not exists (
  select from status_tags st join statuses s on s.id = st.status_id
  where st.tag_id = tags.id and s.visibility in ('public', 'unlisted') and s.approval is null);
