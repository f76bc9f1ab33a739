import type { Pack } from 'tar-stream'

/** Puts a whole file into an archive. Rejects when the archive ends before it is in. */
export function addFile(archive: Pack, header: Parameters<Pack['entry']>[0], data: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    // An entry whose archive is destroyed says so as an event, and the process ends where nobody listens.
    archive.entry(header, data, (error) => (error ? reject(error) : resolve())).on('error', reject)
  })
}
