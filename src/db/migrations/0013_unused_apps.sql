-- Applications that nobody uses go: what was done with one is found, and let go of, without reading every post and user.
create index statuses_app on statuses (app_id) where app_id is not null;
create index users_app on users (created_by_app_id) where created_by_app_id is not null;
create index oauth_grants_app on oauth_grants (app_id);
create index scheduled_statuses_app on scheduled_statuses (app_id) where app_id is not null;
