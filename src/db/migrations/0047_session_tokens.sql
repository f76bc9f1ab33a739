-- The access token of the web client in a browser: it ends with the session.
alter table oauth_tokens add column session_id bigint references sessions on delete cascade;
create unique index oauth_tokens_session on oauth_tokens (session_id) where session_id is not null;
