-- Threads are read from memory: lists of replies by the status that they reply to (src/domain/statuses/replies.ts).
create function note_reply() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids) values ('reply', array[new.in_reply_to_id]);
  return null;
end $$;
create trigger note_insert_reply after insert on statuses for each row when (new.in_reply_to_id is not null) execute function note_reply();
-- Replies that arrived before their parent.
create trigger note_update_reply after update of in_reply_to_id on statuses for each row
  when (new.in_reply_to_id is not null and new.in_reply_to_id is distinct from old.in_reply_to_id) execute function note_reply();

create function note_lost_replies() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids)
  select 'reply', case when count(*) <= 1000 then array_agg(in_reply_to_id) end from changed where in_reply_to_id is not null having count(*) > 0;
  return null;
end $$;
create trigger note_delete_reply after delete on statuses referencing old table as changed for each statement execute function note_lost_replies();
