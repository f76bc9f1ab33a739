// The visibility of the post, with explanations.
import { ChevronDown } from 'lucide'
import type { Status } from '../api/entities.ts'
import { isPublic, VISIBILITIES, VISIBILITY_ICONS } from '../statuses/visibility.tsx'
import { colon, texts } from '../texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { changeDraft } from './current.ts'
import type { Draft } from './draft.ts'

export function VisibilityMenu({ draft }: { draft: Draft }) {
  const { visibility, quote } = draft
  // The server would narrow it silently.
  const isTooOpen = (each: Status['visibility']): boolean => quote?.visibility === 'private' && isPublic(each)
  const names = texts.statuses.visibilities
  return (
    <Menu
      label={`${texts.compose.visibility}${colon}${names[visibility]}`}
      triggerClass="composer-choice"
      align="start"
      disabled={draft.edited !== null}
      trigger={
        <>
          <Icon icon={VISIBILITY_ICONS[visibility]} size={18} />
          <span>{names[visibility]}</span>
          <Icon icon={ChevronDown} size={16} />
        </>
      }
      items={() => [
        VISIBILITIES.map((each) => ({
          label: names[each],
          hint: isTooOpen(each) ? texts.compose.quote_of_private : texts.compose.visibility_hints[each],
          disabled: isTooOpen(each),
          icon: VISIBILITY_ICONS[each],
          checked: each === visibility,
          onSelect: () => changeDraft({ visibility: each }),
        })),
      ]}
    />
  )
}
