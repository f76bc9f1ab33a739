-- How far the mails of an announcement have come, so that a job that runs twice mails nobody twice.
alter table announcements add column mailed_up_to bigint not null default 0; -- the id of the last user
