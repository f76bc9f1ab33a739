-- Notifications are numbered from one, as in Mastodon: some apps, such as Tuba, store their ids in 32 bits. Earlier ones had ids
-- with the time in them. They keep their order, and markers their places.
create temporary table numbered on commit drop as select id, row_number() over (order by id) as serial from notifications;
create unique index on numbered (id) include (serial);
update markers set last_read_id = coalesce((select serial from numbered where id <= last_read_id order by id desc limit 1), 0)
where timeline = 'notifications';
update notifications set id = serial from numbered where numbered.id = notifications.id;
select setval('notification_sequence', coalesce(max(id), 0) + 1, false) from notifications;
