import type { Pack } from 'tar-stream'

export function addFile(archive: Pack, header: Parameters<Pack['entry']>[0], data: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    // A destroyed archive emits `error` on the entry, which would end the process without a listener.
    archive.entry(header, data, (error) => (error ? reject(error) : resolve())).on('error', reject)
  })
}
