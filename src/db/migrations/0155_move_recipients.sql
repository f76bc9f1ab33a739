-- The inboxes of the followers at the time of a move, who learn when it is undone: they follow the account no more by then.
alter table account_moves add column inboxes text[] not null default '{}';
