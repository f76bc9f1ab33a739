-- Processes cache blocks of addresses and enabled webhooks, too (see 0038_changes.sql).
create trigger note_change after insert or update or delete on ip_blocks for each statement execute function note_everything('ip-block');
create trigger note_change after insert or update or delete on webhooks for each statement execute function note_everything('webhook');
