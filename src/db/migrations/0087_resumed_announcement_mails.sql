-- An announcement that is published again mails those whom it had not reached. Those mailed before 0086 do not say how far they came.
update announcements set mailed_up_to = 9223372036854775807 where mailed_at < now() - interval '1 day' and mailed_up_to = 0;
