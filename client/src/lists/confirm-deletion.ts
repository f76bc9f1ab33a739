import { texts } from '../texts.ts'
import { confirm } from '../ui/confirm.tsx'
import { showToast } from '../ui/toasts.tsx'

/** Asks before `act` deletes what has this title, and says so afterwards. Resolves to whether it was deleted. */
export async function confirmDeletion(title: string, text: string, act: () => Promise<unknown>): Promise<boolean> {
  const t = texts.lists
  const isDone = await confirm({ title: t.delete_title({ title }), text, action: t.delete, isDanger: true, act })
  if (isDone) showToast(t.deleted({ title }))
  return isDone
}
