import { withDecodedHeic } from '../media/decode.ts'
import { withStoredFiles } from '../media/files.ts'
import type { Context } from '../../context.ts'
import { newFileKey } from '../../files/store.ts'
import { Invalid } from '../../lib/errors.ts'
import { type EncodedImage, processAvatar, processHeader } from '../media/image.ts'
import type { NewImage, ProfileChanges } from './profile-attributes.ts'
import { profileImageProblem } from './profile-rules.ts'

/** File keys of an avatar or header; `still` only for an animated one. Both are null when it is removed. */
export type ProfileImageKeys = { key: string | null; still: string | null }
export type NewProfileImages = { avatar?: ProfileImageKeys; header?: ProfileImageKeys }

type File = readonly [key: string, image: EncodedImage]

/**
 * Stores the images among the changes, then runs `work` with their keys. Deletes the new files when `work` fails, and the
 * replaced ones when it succeeds. Throws Invalid for a file that is no image.
 */
export async function withProfileImages(
  ctx: Context,
  accountId: string,
  changes: ProfileChanges,
  work: (images: NewProfileImages) => Promise<{ replaced: string[] }>,
): Promise<void> {
  const [avatar, header] = await Promise.all([
    prepare(ctx, accountId, 'avatar', changes.avatar),
    prepare(ctx, accountId, 'header', changes.header),
  ])
  const images: NewProfileImages = {
    ...(avatar ? { avatar: avatar.keys } : {}),
    ...(header ? { header: header.keys } : {}),
  }
  const files = [...(avatar?.files ?? []), ...(header?.files ?? [])]
  const { replaced } = await withStoredFiles(ctx, files, () => work(images))
  await ctx.deleteFiles(replaced)
}

async function prepare(
  ctx: Context,
  accountId: string,
  kind: 'avatar' | 'header',
  upload: NewImage | undefined,
): Promise<{ keys: ProfileImageKeys; files: File[] } | null> {
  if (upload === undefined) return null
  if (upload === null) return { keys: { key: null, still: null }, files: [] }
  const process = kind === 'avatar' ? processAvatar : processHeader
  const { image, still } = await withDecodedHeic(ctx, upload.path, process).catch((error: unknown) => {
    throw error instanceof Invalid ? profileImageProblem(kind, error) : error
  })
  const key = newFileKey(`${kind}s`, accountId, 'original', image.extension)
  const stillKey = still && newFileKey(`${kind}s`, accountId, 'static', still.extension)
  return {
    keys: { key, still: stillKey },
    files: [[key, image], ...(still && stillKey ? [[stillKey, still] as const] : [])],
  }
}
