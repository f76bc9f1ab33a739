import sharp from 'sharp'
import type { Person } from './server.ts'

export async function imageFile(width = 8, height = 6): Promise<File> {
  const png = await sharp({ create: { width, height, channels: 3, background: '#3c3' } })
    .png()
    .toBuffer()
  return new File([new Uint8Array(png)], 'a.png', { type: 'image/png' })
}

export async function uploadImage(uploader: Person, width = 8, height = 6): Promise<string> {
  const form = new FormData()
  form.set('file', await imageFile(width, height))
  return (await uploader.send('POST', '/api/v2/media', { form })).json.id
}
