-- Another server may name anything as deleted or undone. Tombstones of what was never seen here are kept for as long as the
-- thing itself may still be on its way.
alter table tombstones add column expires_at timestamptz;
create index tombstones_expiry on tombstones (expires_at) where expires_at is not null;
