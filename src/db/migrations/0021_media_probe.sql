-- When a remote video or audio file was measured, or found to be unmeasurable.
alter table media_attachments add column probed_at timestamptz;
