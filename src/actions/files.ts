import type { Context } from '../context.ts'
import { fileDeletionJobs } from '../jobs/file-deletion.ts'
import type { JobData } from '../jobs/kinds.ts'

/**
 * Call it in the transaction that deletes the last rows which name the files. A job deletes them, so that neither a crash nor a
 * failure of the file store leaves them.
 */
export const enqueueFileDeletion = (tx: Context, keys: readonly string[]): Promise<void> =>
  tx.enqueueMany('files.delete', fileDeletionJobs(keys))

/** Job `files.delete`. */
export const deleteFiles = (ctx: Context, { keys }: JobData['files.delete']): Promise<void> => ctx.files.delete(keys)
