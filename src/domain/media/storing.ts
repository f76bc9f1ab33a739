import type { Context } from '../../context.ts'
import { newFileKey } from '../../files/store.ts'
import type { EncodedImage } from './image.ts'

/** A file that arrived: where it lies, and how many bytes it has. */
export type ReceivedFile = { path: string; size: number }

/** A key in the media area. */
export const keyFor = (id: string, variant: string, { extension }: EncodedImage): string =>
  newFileKey('media', id, variant, extension)

/** Stores files, then does `work`; should that fail, the files go again. */
export async function storing<T>(
  ctx: Context,
  files: readonly (readonly [key: string, image: EncodedImage])[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    await Promise.all(files.map(([key, { data, contentType }]) => ctx.files.put(key, data, contentType)))
    return await work()
  } catch (error) {
    await ctx.files
      .delete(files.map(([key]) => key))
      .catch((cause: unknown) => ctx.log.warn({ err: cause }, 'upload.cleanup-failed'))
    throw error
  }
}
