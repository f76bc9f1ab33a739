-- Staff look for parts of addresses, and list local accounts, which may be few among many.
create index users_email_trgm on users using gin (lower(email) gin_trgm_ops);
create index accounts_local on accounts (id desc) where domain is null;
