-- Follows that return once the other of two suspended accounts is restored too.
alter table severed_relationships add column deferred boolean not null default false;
create index severed_relationships_deferred on severed_relationships (severance_id) where deferred;
