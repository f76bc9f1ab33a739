-- Owners of locked accounts see how many requests to follow them wait.
create function note_lost_follow_requests() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids)
  select 'account-count', case when count(*) <= 1000 then array_agg(target_account_id) end from changed having count(*) > 0;
  return null;
end $$;
create trigger note_delete after delete on follow_requests referencing old table as changed for each statement execute function note_lost_follow_requests();

create function note_follow_request() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids) values ('account-count', array[new.target_account_id]);
  return null;
end $$;
create trigger note_insert after insert on follow_requests for each row execute function note_follow_request();
