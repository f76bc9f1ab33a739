-- What else is part of documents and decisions that hold for the whole server (see 0038_changes.sql).
create trigger note_change after insert or update or delete on rules for each statement execute function note_everything('setting');
create trigger note_change after insert or update or delete on rule_translations for each statement execute function note_everything('setting');
create trigger note_change after insert or update or delete on terms_of_service for each statement execute function note_everything('setting');
create trigger note_change after insert or update or delete on site_uploads for each statement execute function note_everything('setting');
create trigger note_change after insert or update or delete on domain_blocks for each statement execute function note_everything('setting');
create trigger note_change after insert or update or delete on domain_allows for each statement execute function note_everything('setting');
create trigger note_change after insert or update or delete on relays for each statement execute function note_everything('setting');
create trigger note_update after update of usable on tags for each row when (old.usable <> new.usable) execute function note_everything('setting');
create trigger note_update after update of stopped_at on peers for each row when (old.stopped_at is distinct from new.stopped_at) execute function note_everything('setting');
create trigger note_setting after insert or update or delete on roles for each statement execute function note_everything('setting');
