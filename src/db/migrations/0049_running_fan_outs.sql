-- Posts that a job still writes to home feeds: until it has, reads add them (src/domain/timelines/running-fan-outs.ts). Unlogged, like
-- the feeds: after a crash, each feed is built again.
create unlogged table running_fan_outs (status_id bigint primary key) with (autovacuum_analyze_threshold = 1, autovacuum_analyze_scale_factor = 0.1); -- as in 0039
create trigger note_change after insert or delete on running_fan_outs for each statement execute function note_everything('fan-out');
