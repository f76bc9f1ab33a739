-- Hashtags fold the marks of Latin letters as well as case: `café` and `cafe` become one row, the oldest of them, and whatever
-- named one of the others names that one. The same folding as normaliseTag in src/lib/text/tags.ts.

create temporary table folded on commit drop as
select id, name as old_name, normalize(translate(
    regexp_replace(normalize(name, NFD),
      '([a-z\u00df-\u024f\u0250-\u02af\u1e00-\u1eff])[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+', '\1', 'g'),
    'øđðħıĸłŋŧ', 'oddhiklnt'), NFKC) as name, 0::bigint as keep_id
from tags;
update folded f set keep_id = k.id from (select name, min(id) as id from folded group by name) k where k.name = f.name;
delete from folded f where f.id = f.keep_id and f.name = f.old_name;
create index on folded (id);
analyze folded;

insert into status_tags (tag_id, status_id)
select f.keep_id, st.status_id from folded f join status_tags st on st.tag_id = f.id where f.id <> f.keep_id
on conflict do nothing;

-- Of several rows of one account for what is one hashtag now, the oldest stays.
with ranked as (
  select ft.id, row_number() over (partition by ft.account_id, coalesce(f.keep_id, ft.tag_id) order by ft.id) as place
  from followed_tags ft left join folded f on f.id = ft.tag_id
)
delete from followed_tags ft using ranked r where r.id = ft.id and r.place > 1;
update followed_tags ft set tag_id = f.keep_id from folded f where f.id = ft.tag_id and f.id <> f.keep_id;

with ranked as (
  select ft.id, row_number() over (partition by ft.account_id, coalesce(f.keep_id, ft.tag_id) order by ft.id) as place
  from featured_tags ft left join folded f on f.id = ft.tag_id
)
delete from featured_tags ft using ranked r where r.id = ft.id and r.place > 1;
update featured_tags ft set tag_id = f.keep_id from folded f where f.id = ft.tag_id and f.id <> f.keep_id;

update collections c set tag_id = f.keep_id from folded f where f.id = c.tag_id and f.id <> f.keep_id;

update tags t set last_status_at = greatest(t.last_status_at, m.last)
from (
  select f.keep_id, max(gone.last_status_at) as last
  from folded f join tags gone on gone.id = f.id where f.id <> f.keep_id group by f.keep_id
) m where m.keep_id = t.id;
delete from tags t using folded f where f.id = t.id and f.id <> f.keep_id;
update tags t set name = f.name from folded f where f.id = t.id and f.id = f.keep_id;

-- Underscores alone are no hashtag any more.
delete from tags where name ~ '^[_\u203f\u2040\u2054\ufe33\ufe34\ufe4d-\ufe4f\uff3f]+$';
drop table folded;
