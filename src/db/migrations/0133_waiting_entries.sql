-- Each page of the administration counts the changes of block lists that wait.
create index block_list_entries_waiting on block_list_entries (block_list_id) where state in ('proposed', 'retracted');
