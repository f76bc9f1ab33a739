-- Posts that staff removed from a report. It may name them again, also private ones, which staff cannot browse.
alter table reports add column removed_status_ids bigint[] not null default '{}';
