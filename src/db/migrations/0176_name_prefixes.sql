-- Handles and hashtags are searched by how they begin. In databases of another locale than C, only these operators use an index.
drop index accounts_handle;
create unique index accounts_handle on accounts (lower(username) text_pattern_ops, coalesce(domain, ''));
alter table tags drop constraint tags_name_key;
create unique index tags_name_key on tags (name text_pattern_ops);
