-- How many uses the last reservation took. PostgreSQL before 18 cannot return a row as it was before a statement.
alter table rate_limits add column granted int not null default 0;
