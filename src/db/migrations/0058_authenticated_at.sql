-- When the user last showed the identity provider who they are, if that was before the session began.
alter table sessions add column authenticated_at timestamptz;
