-- Applications that people register for themselves, such as bots.
alter table oauth_apps add column owner_id bigint references users on delete cascade;
create index oauth_apps_owner on oauth_apps (owner_id) where owner_id is not null;
