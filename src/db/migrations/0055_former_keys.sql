-- The former signing key of a local account signs the news of the new one, for servers that do not fetch keys again.
alter table account_keys add column former_private_key text, add column replaced_at timestamptz;
create index account_keys_replaced on account_keys (replaced_at) where former_private_key is not null;
