-- Remote statuses that this server fetched before their Create arrived: they are in no home feeds and caused no notifications.
alter table statuses add column silent boolean not null default false;
