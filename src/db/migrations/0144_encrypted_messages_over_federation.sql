-- Encrypted messages between devices of different servers.

-- The collection of the account's devices.
alter table accounts add devices_url text;

-- The address of a message from another server, which may arrive twice; null for local messages.
alter table encrypted_messages
  add uri text,
  add constraint encrypted_messages_uri unique (device_id, from_account_id, uri);

-- Messages to devices of remote accounts, for the job that sends them.
create table outgoing_encrypted_messages (
  id bigint primary key,
  from_account_id bigint not null references accounts on delete cascade,
  from_device_id text not null,
  to_account_id bigint not null references accounts on delete cascade,
  to_device_id text not null,
  type int not null check (type in (0, 1)), -- 0: begins a session
  body text not null,
  digest text not null,
  message_franking text not null,
  created_at timestamptz not null default now()
);
create index outgoing_encrypted_messages_from on outgoing_encrypted_messages (from_account_id, to_account_id, to_device_id);
create index outgoing_encrypted_messages_to on outgoing_encrypted_messages (to_account_id);
create index outgoing_encrypted_messages_created on outgoing_encrypted_messages (created_at);
