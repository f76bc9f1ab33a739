-- How many uploads of an account wait to be converted.
create index media_attachments_waiting on media_attachments (account_id) where processing = 'waiting';
