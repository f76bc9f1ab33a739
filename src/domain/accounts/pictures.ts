import type { Context } from '../../context.ts'
import { newFileKey } from '../../files/store.ts'
import { Invalid } from '../../lib/errors.ts'
import { storing } from '../media/storing.ts'
import { withDecodedHeic } from '../media/heic.ts'
import type { EncodedImage } from '../media/image.ts'
import { processAvatar, processHeader } from '../media/profile-image.ts'
import { pictureProblem, type Picture, type ProfileChanges } from './profile-rules.ts'

/** File keys of a picture; `still` where the picture moves. Both null: there is none any longer. */
export type PictureKeys = { key: string | null; still: string | null }
export type NewPictures = { avatar?: PictureKeys; header?: PictureKeys }

type File = readonly [key: string, image: EncodedImage]

/**
 * Stores the pictures among the changes, then does `work` with their keys. Should that fail, their files go again; when it
 * succeeds, those that `work` says were replaced. Throws Invalid for what is no image.
 */
export async function withPictures(
  ctx: Context,
  accountId: string,
  changes: ProfileChanges,
  work: (pictures: NewPictures) => Promise<{ replaced: string[] }>,
): Promise<void> {
  const [avatar, header] = await Promise.all([
    prepare(ctx, accountId, 'avatar', changes.avatar),
    prepare(ctx, accountId, 'header', changes.header),
  ])
  const pictures: NewPictures = {
    ...(avatar ? { avatar: avatar.keys } : {}),
    ...(header ? { header: header.keys } : {}),
  }
  const files = [...(avatar?.files ?? []), ...(header?.files ?? [])]
  const { replaced } = await storing(ctx, files, () => work(pictures))
  await ctx.files
    .delete(replaced)
    .catch((error: unknown) => ctx.log.warn({ err: error }, 'replaced profile pictures stay behind'))
}

async function prepare(
  ctx: Context,
  accountId: string,
  kind: 'avatar' | 'header',
  picture: Picture | undefined,
): Promise<{ keys: PictureKeys; files: File[] } | null> {
  if (picture === undefined) return null
  if (picture === null) return { keys: { key: null, still: null }, files: [] }
  const process = kind === 'avatar' ? processAvatar : processHeader
  const { image, still } = await withDecodedHeic(ctx, picture.path, process).catch((error: unknown) => {
    throw error instanceof Invalid ? pictureProblem(kind, error) : error
  })
  const key = newFileKey(`${kind}s`, accountId, 'original', image.extension)
  const stillKey = still && newFileKey(`${kind}s`, accountId, 'static', still.extension)
  return {
    keys: { key, still: stillKey },
    files: [[key, image], ...(still && stillKey ? [[stillKey, still] as const] : [])],
  }
}
