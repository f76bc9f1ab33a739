-- Processing an activity empties its body. With room on its page, the new version of the row enters no index.
alter table inbox_activities set (fillfactor = 80);
