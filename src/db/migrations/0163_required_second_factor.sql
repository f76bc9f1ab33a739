-- Users of such a role who have neither an authenticator app nor a passkey can only set one up.
alter table roles add column require_2fa boolean not null default false;

-- Whether a user has a second factor is cached with the account (migration 0038).
create function note_second_factor() returns trigger language plpgsql as $$
begin
  insert into changes (kind, ids)
  select 'account', array[account_id] from users where id = case when tg_op = 'DELETE' then old.user_id else new.user_id end;
  return null;
end $$;
create trigger note_change after insert or delete or update of confirmed_at on totp_keys for each row execute function note_second_factor();
create trigger note_change after insert or delete on passkeys for each row execute function note_second_factor();
