-- Mentions are listed as the text names them. Those of earlier posts have no place, and are listed by account.
alter table mentions add column place smallint not null default 0;
