-- Signing keys of local accounts are cached with their accounts.
create trigger note_update after update of public_key on account_keys for each row when (new.private_key is not null) execute function note_user();
