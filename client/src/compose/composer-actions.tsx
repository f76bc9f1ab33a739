// The bar of tools of the composer, and the button that posts.
import { TriangleAlert } from 'lucide'
import { texts } from '../texts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { canSubmit } from './composing.ts'
import { changePost, isSending } from './current.ts'
import type { Draft, DraftPost } from './draft.ts'

export function ComposerActions({ draft, post, limit }: { draft: Draft; post: DraftPost; limit: number }) {
  const t = texts.compose
  return (
    <div class="composer-actions">
      <div class="composer-tools" role="toolbar" aria-label={t.tools}>
        <IconButton
          icon={TriangleAlert}
          label={t.warning}
          pressed={post.warning !== null}
          onClick={() => changePost(post.key, { warning: post.warning === null ? '' : null })}
        />
      </div>
      <Button kind="primary" type="submit" disabled={!canSubmit(draft, limit) || isSending.value}>
        {draft.edited ? t.save : t.post}
      </Button>
    </div>
  )
}
