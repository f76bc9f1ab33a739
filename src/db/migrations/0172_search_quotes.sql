-- The search operator has:quote.
update status_search d set document = d.document || ''':has:quote'''::tsvector
from quotes q where q.status_id = d.status_id;
