-- Accounts that a remote post is addressed to in `bto` or `bcc`: they may read it, and nobody else learns of them.
alter table mentions add column hidden boolean not null default false;
