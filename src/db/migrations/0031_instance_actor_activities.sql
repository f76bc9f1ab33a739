-- The instance actor sends reports to other servers, so that they do not name the reporter: such an activity has no account.
alter table outbox_activities alter account_id drop not null;
