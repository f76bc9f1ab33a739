-- The place of an item in the document of a remote collection. Items without one come last.
alter table collection_items add column position int;
