-- The few accounts whose inbox is not on their own host: failures of such an inbox do not count for its host.
create index accounts_inbox_elsewhere on accounts (inbox_url) where split_part(inbox_url, '/', 3) <> split_part(uri, '/', 3);
create index accounts_shared_inbox_elsewhere on accounts (shared_inbox_url)
  where split_part(shared_inbox_url, '/', 3) <> split_part(uri, '/', 3);
