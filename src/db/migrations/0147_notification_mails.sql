-- The last notification that a user was told about by mail.
alter table users add column notifications_mailed_id bigint;
-- Those who want such mails: a choice of types in their settings.
create index users_notification_mails on users (id) where settings -> 'notification_mails' <> '[]'::jsonb;
