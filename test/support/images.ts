import sharp from 'sharp'
import type { Person } from './server.ts'

export async function uploadImage(uploader: Person, width = 8, height = 6): Promise<string> {
  const png = await sharp({ create: { width, height, channels: 3, background: '#3c3' } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'a.png')
  return (await uploader.send('POST', '/api/v2/media', { form })).json.id
}
