import type { Database } from '../db/database.ts'
import type { Log } from '../lib/log.ts'
import type { JobData } from './kinds.ts'
import type { Queue } from './queue.ts'

const KEYS_PER_JOB = 500

export function fileDeletionJobs(keys: readonly string[]): JobData['files.delete'][] {
  const jobs: JobData['files.delete'][] = []
  for (let from = 0; from < keys.length; from += KEYS_PER_JOB)
    jobs.push({ keys: keys.slice(from, from + KEYS_PER_JOB) })
  return jobs
}

type Files = { delete(keys: readonly string[]): Promise<void> }
type Parts = { files: Files; queue: Queue; database: Database; log: Log }

/** Deletes files that no row names any more. Never throws: a job deletes what the file store does not delete now. */
export const fileDeleter =
  ({ files, queue, database, log }: Parts) =>
  async (keys: readonly string[]): Promise<void> => {
    if (keys.length === 0) return
    try {
      await files.delete(keys)
    } catch (error) {
      log.warn({ err: error, keys: keys.slice(0, 10) }, 'files.deletion-failed')
      await queue
        .addMany(database, 'files.delete', fileDeletionJobs(keys))
        .catch((cause: unknown) => log.error({ err: cause, keys }, 'files.deletion-lost'))
    }
  }
