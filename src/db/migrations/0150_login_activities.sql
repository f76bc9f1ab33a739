-- Sign-ins and failed attempts, which users can look at.
create table login_activities (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  method text not null,
  success boolean not null,
  ip inet,
  user_agent text not null default '',
  created_at timestamptz not null default now()
);
create index login_activities_user on login_activities (user_id, success, id desc);
create index login_activities_created on login_activities (created_at);
