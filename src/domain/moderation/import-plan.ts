// The changes that an imported list of blocks would make.
import type { Context } from '../../context.ts'
import {
  type AdminDomainBlockRow,
  type BlockDraft,
  type BlockMeasures,
  findDomainBlocks,
  doesAllOf,
} from './domain-blocks.ts'

/** `merge` adds blocks and makes existing ones stricter; `overwrite` replaces existing ones. Neither removes any. */
export type ImportMode = 'merge' | 'overwrite'

export type PlannedBlock = {
  draft: BlockDraft
  before: AdminDomainBlockRow | null
  /** `same`: nothing would change. `unchanged`: the existing block stays, as it is stricter. */
  change: 'create' | 'update' | 'same' | 'unchanged'
}

export async function planImport(
  ctx: Context,
  drafts: readonly BlockDraft[],
  mode: ImportMode,
): Promise<PlannedBlock[]> {
  const existing = await findDomainBlocks(
    ctx,
    drafts.map(({ domain }) => domain),
  )
  const byDomain = new Map(existing.map((block) => [block.domain, block]))
  return drafts.map((draft) => {
    const before = byDomain.get(draft.domain) ?? null
    if (!before) return { draft, before, change: 'create' }
    // A list has no private comments.
    const merged = { ...draft, private_comment: before.private_comment }
    if (isSame(merged, before)) return { draft: merged, before, change: 'same' }
    const stays = mode === 'merge' && (sameMeasures(merged, before) || !doesAllOf(merged, before))
    return { draft: merged, before, change: stays ? 'unchanged' : 'update' }
  })
}

type PublishedBlock = BlockMeasures & Pick<BlockDraft, 'obfuscate' | 'public_comment'>

const sameMeasures = (a: BlockMeasures, b: BlockMeasures): boolean =>
  a.severity === b.severity && a.reject_media === b.reject_media && a.reject_reports === b.reject_reports

/** Apart from private comments, which no list has. */
export const isSame = (a: PublishedBlock, b: PublishedBlock): boolean =>
  sameMeasures(a, b) && a.obfuscate === b.obfuscate && (a.public_comment ?? '') === (b.public_comment ?? '')

export const isChange = ({ change }: PlannedBlock): boolean => change === 'create' || change === 'update'
