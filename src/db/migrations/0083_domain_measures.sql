-- Which accounts a domain block suspended or limited, so that its end restores exactly these.
alter table accounts
  drop constraint accounts_suspension_origin_check,
  add constraint accounts_suspension_origin_check check (suspension_origin in ('local', 'remote', 'domain')),
  add silenced_by_domain boolean not null default false;
