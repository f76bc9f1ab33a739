-- Films, sounds and animations -----------------------------------------------------------------------------------------

-- arriving: its files are being written. waiting: to be converted. failed: cannot be. raw: kept as it came, since nothing
-- here can convert it. Null: ready.
create type media_processing as enum ('arriving', 'waiting', 'failed', 'raw');

-- source_key: what was uploaded, for nobody to see, until it is converted. result_key: where the result is about to be written.
alter table media_attachments
  add column processing media_processing,
  add column source_key text,
  add column result_key text,
  add column attempts smallint not null default 0;
create index media_attachments_sources on media_attachments (created_at) where source_key is not null;
