-- Every note embeds its newest replies: they are read in order, however many there are.
create index statuses_replies on statuses (in_reply_to_id, id) where in_reply_to_id is not null;
drop index statuses_reply;
