-- The clean-up deletes what a remote account rejected a day ago; `verified_at` then says when it answered.
update collection_items set verified_at = now() where state = 'rejected' and uri is null;
create index collection_items_rejected on collection_items (verified_at) where state = 'rejected' and uri is null;
