-- The hourly clean-up looks for users who never confirmed their address, and for the addresses of sign-ups of more than a year ago.
create index users_unconfirmed on users (created_at) where confirmed_at is null;
create index users_sign_up_ip_created on users (created_at) where sign_up_ip is not null;
