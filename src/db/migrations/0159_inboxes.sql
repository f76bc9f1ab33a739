-- The inboxes that deliveries use: those of a missing inbox are looked up. Accounts of one server share an entry.
create index accounts_inbox on accounts (coalesce(shared_inbox_url, inbox_url)) where domain is not null;
