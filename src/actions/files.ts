import type { Context } from '../context.ts'
import type { JobData } from '../jobs/kinds.ts'

const KEYS_PER_JOB = 500

/**
 * Call it in the transaction that deletes the last rows which name the files. A job deletes them, so that neither a crash nor a
 * failure of the file store leaves them.
 */
export async function enqueueFileDeletion(tx: Context, keys: readonly string[]): Promise<void> {
  const jobs: JobData['files.delete'][] = []
  for (let from = 0; from < keys.length; from += KEYS_PER_JOB)
    jobs.push({ keys: keys.slice(from, from + KEYS_PER_JOB) })
  await tx.enqueueMany('files.delete', jobs)
}

/** Job `files.delete`. */
export const deleteFiles = (ctx: Context, { keys }: JobData['files.delete']): Promise<void> => ctx.files.delete(keys)
