-- How many more favourites and boosts the server of a remote status counted than are known here. Zero for local statuses.
alter table status_stats
  add column favourites_elsewhere int not null default 0,
  add column reblogs_elsewhere int not null default 0;
drop trigger note_insert on status_stats;
create trigger note_insert after insert on status_stats for each row
  when (new.replies_count <> 0 or new.reblogs_count <> 0 or new.favourites_count <> 0 or new.quotes_count <> 0
    or new.favourites_elsewhere <> 0 or new.reblogs_elsewhere <> 0)
  execute function note_status_count();
