import sharp from 'sharp'
import type { Person } from './server.ts'

/** A PNG of one colour. */
export const pngOf = (width: number, height: number, background: string): Promise<Buffer<ArrayBuffer>> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer() as Promise<Buffer<ArrayBuffer>>

export const imageFile = async (width = 8, height = 6): Promise<File> =>
  new File([await pngOf(width, height, '#3c3')], 'a.png', { type: 'image/png' })

export async function uploadImage(uploader: Person, width = 8, height = 6): Promise<string> {
  const form = new FormData()
  form.set('file', await imageFile(width, height))
  return (await uploader.send('POST', '/api/v2/media', { form })).json.id
}
