alter table imports drop constraint imports_type_check;
alter table imports add constraint imports_type_check
  check (type in ('following', 'blocking', 'muting', 'domain_blocking', 'bookmarks', 'lists', 'filters'));
