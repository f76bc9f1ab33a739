-- Direct posts, as the conversations that each of the people in them has.

-- The low bits of their ids, which are made where the rows are.
create sequence account_conversation_sequence;

-- One row for each person of this server, thread, and circle of others: whoever adds somebody begins another conversation.
create table account_conversations (
  id bigint primary key,
  account_id bigint not null references accounts on delete cascade,
  conversation_id bigint not null references conversations on delete cascade,
  participant_ids bigint[] not null, -- the others, in order
  participants_digest uuid not null, -- of these: a list of hundreds is too long for an index
  last_status_id bigint not null references statuses on delete cascade,
  unread boolean not null default false,
  unique (account_id, conversation_id, participants_digest)
);
create index account_conversations_page on account_conversations (account_id, last_status_id desc);
create index account_conversations_last on account_conversations (last_status_id);
create index account_conversations_conversation on account_conversations (conversation_id);
create index account_conversations_participants on account_conversations using gin (participant_ids);

create table account_conversation_statuses (
  account_conversation_id bigint not null references account_conversations on delete cascade,
  status_id bigint not null references statuses on delete cascade,
  primary key (account_conversation_id, status_id)
);
create index account_conversation_statuses_status on account_conversation_statuses (status_id);

-- The legacy timeline of direct posts: one's own.
create index statuses_direct on statuses (account_id, id desc) where visibility = 'direct';
