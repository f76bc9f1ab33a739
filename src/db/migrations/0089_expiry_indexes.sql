-- The hourly clean-up looks for these, and would read whole tables.
create index mutes_expires on mutes (expires_at) where expires_at is not null;
create index totp_keys_unconfirmed on totp_keys (created_at) where confirmed_at is null;
