-- Private posts may have spelled these hashtags. The first post that all may read spells them anew.
update tags set display_name = name where last_status_at is null and reviewed_at is null and display_name <> name;
