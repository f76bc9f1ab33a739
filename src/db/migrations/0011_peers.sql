-- How other servers are spoken to, and what is on its way to them.

-- How a server wants requests to be signed that refuses the usual way (draft-cavage). Null: the usual way, as far as is known.
alter table peers add column signature text check (signature = 'rfc9421');

-- What an activity on its way is about. A later one about the same replaces what was not delivered yet, lest a follow that had
-- to wait arrives after its end.
alter table outbox_activities add column topic text, add column type text;
create index outbox_activities_topic on outbox_activities (topic) where topic is not null;
