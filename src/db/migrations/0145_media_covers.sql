-- The cover of remote audio, or the poster of a remote video. Its copy is named by preview_key, without a file_key.
alter table media_attachments add column preview_remote_url text;
