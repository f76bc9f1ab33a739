-- Addresses that receive the new posts of a local account by mail.
create table email_subscriptions (
  id bigint primary key, -- not counted up: after a backup is restored, a link must not name another address
  account_id bigint not null references accounts on delete cascade,
  email text not null,
  locale text not null,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  mailed_id bigint, -- posts up to this id were mailed, or are older than the confirmation; null until then
  mailed_at timestamptz,
  refusals int not null default 0 -- mails in a row that the mail server refused because of the address
);
create unique index email_subscriptions_address on email_subscriptions (account_id, lower(email));
create index email_subscriptions_unconfirmed on email_subscriptions (created_at) where confirmed_at is null;

-- As all permissions but the first two, "manage e-mail subscriptions" is the administrator's.
update roles set permissions = permissions | x'200000'::bigint where id = 2;
