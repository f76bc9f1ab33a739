// Finds the post, profile or emoji to which a media file belongs.
import { addressSpellings } from '../../ap/normalise.ts'
import type { Context } from '../../context.ts'
import { anyOf, sql } from '../../db/sql.ts'
import { isFileKey, partsOfKey } from '../../files/store.ts'
import { httpUrl } from '../../lib/http-url.ts'
import { isId } from '../../lib/ids.ts'
import { fileKeysIn } from './stored-files.ts'

/** Rows of each kind. Many accounts of a server may have the same address, such as that of its default avatar. */
const MAX_OWNERS = 100

/** `key`: in the file store. `urls`: spellings of an address on another server. */
type MediaReference = { key: string } | { attachmentId: string } | { urls: string[] }

export type MediaOwner = {
  kind: 'attachment' | 'avatar' | 'header' | 'emoji'
  /** The id of the attachment, the account or the emoji. */
  id: string
  /** `url`: null for those of this server. */
  account: { id: string; username: string; domain: string | null; url: string | null } | null
  status: { id: string; url: string | null } | null
  emoji: { shortcode: string; domain: string | null } | null
}

/**
 * Understands addresses of stored files and of the media proxy, keys of the file store, and addresses on other servers. Null for
 * other text.
 */
export function parseMediaAddress(ctx: Context, text: string): MediaReference | null {
  if (isFileKey(text)) return { key: text }
  const url = httpUrl(text)
  if (!url) return null
  const files = ctx.files.url('')
  const plain = `${url.origin}${url.pathname}`
  if (plain.startsWith(files)) return isFileKey(plain.slice(files.length)) ? { key: plain.slice(files.length) } : null
  const [, first, second = ''] = url.pathname.split('/')
  if (url.origin !== ctx.config.baseUrl || first !== 'media_proxy') return { urls: addressSpellings(text) }
  const remote = url.searchParams.get('url')
  if (second === 'emojis') return remote === null ? null : { urls: addressSpellings(remote) }
  return isId(second) ? { attachmentId: second } : null
}

/** Empty when nothing here has the file. Reads whole tables for the address of a remote file: for commands only. */
export async function findMediaOwners(ctx: Context, reference: MediaReference): Promise<MediaOwner[]> {
  const key = 'key' in reference ? reference.key : null
  const urls = 'urls' in reference ? reference.urls : null
  const id = 'attachmentId' in reference ? reference.attachmentId : key && idInKey(key)
  const isAttachment = key === null ? sql`true` : sql`${key} = any(${fileKeysIn('media_attachments')})`
  const attachments = ctx.db.many<MediaOwner>(sql`
    select 'attachment' as kind, m.id::text, ${accountJson} as account, null as emoji,
      case when s.id is not null then json_build_object('id', s.id::text, 'url', coalesce(s.url, s.uri)) end as status
    from media_attachments m join accounts a on a.id = m.account_id left join statuses s on s.id = m.status_id
    where ${urls === null ? sql`m.id = ${id} and ${isAttachment}` : sql`m.remote_url = any(${urls}::text[])`} order by m.id limit ${MAX_OWNERS}`)
  const images = ctx.db.many<MediaOwner>(sql`
    select image.kind, a.id::text, ${accountJson} as account, null as emoji, null as status
    from accounts a cross join lateral (values
      ('avatar', a.avatar_remote_url, array[a.avatar_key, a.avatar_static_key]),
      ('header', a.header_remote_url, array[a.header_key, a.header_static_key])) image (kind, remote_url, keys)
    where ${urls === null ? sql`a.id = ${id} and ${key} = any(image.keys)` : sql`image.remote_url = any(${urls}::text[])`} order by a.id limit ${MAX_OWNERS}`)
  const emojis = ctx.db.many<MediaOwner>(sql`
    select 'emoji' as kind, e.id::text, null as account, null as status,
      json_build_object('shortcode', e.shortcode, 'domain', e.domain) as emoji
    from custom_emojis e
    where ${anyOf([
      urls !== null && sql`e.remote_url = any(${urls}::text[])`,
      key !== null && sql`${key} in (e.image_key, e.static_key)`,
      key !== null &&
        sql`sha256(convert_to(e.remote_url, 'UTF8')) = (select digest from remote_emojis where ${key} in (image_key, static_key) limit 1)`,
    ])} order by e.id limit ${MAX_OWNERS}`)
  return (await Promise.all([attachments, images, emojis])).flat()
}

const accountJson = sql`
  json_build_object('id', a.id::text, 'username', a.username, 'domain', a.domain, 'url', coalesce(a.url, a.uri))`

/** The id of the row for which a file was stored. The id has an index, unlike the columns with the keys. */
function idInKey(key: string): string | null {
  const { id } = partsOfKey(key)
  return isId(id) ? id : null
}
