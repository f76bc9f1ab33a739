// The quote policy of the post, with explanations.
import { ChevronDown, Quote } from 'lucide'
import { isPublic } from '../statuses/visibility.tsx'
import { colon, texts } from '../texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { changeDraft } from './current.ts'
import { type Draft, QUOTE_POLICIES } from './draft.ts'

export function QuotePolicyMenu({ draft }: { draft: Draft }) {
  const t = texts.compose
  const isOpen = isPublic(draft.visibility)
  const policy = isOpen ? draft.quotePolicy : 'nobody'
  return (
    <Menu
      label={`${t.quote_policy}${colon}${t.quote_policies[policy]}`}
      triggerClass="composer-choice"
      align="start"
      disabled={!isOpen}
      trigger={
        <>
          <Icon icon={Quote} size={18} />
          <span>{t.quote_policies[policy]}</span>
          <Icon icon={ChevronDown} size={16} />
        </>
      }
      items={() => [
        QUOTE_POLICIES.map((each) => ({
          label: t.quote_policies[each],
          hint: t.quote_policy_hints[each],
          checked: each === policy,
          onSelect: () => changeDraft({ quotePolicy: each }),
        })),
      ]}
    />
  )
}
