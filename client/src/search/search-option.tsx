import { ExternalLink, Hash, History } from 'lucide'
import { texts } from '../texts.ts'
import { AccountNames, Avatar } from '../ui/account-line.tsx'
import { Icon } from '../ui/icon.tsx'
import type { SearchSuggestion } from './suggest.ts'

export function SearchOption({ suggestion }: { suggestion: SearchSuggestion }) {
  switch (suggestion.kind) {
    case 'text':
      return (
        <>
          <code dir="ltr">{suggestion.text}</code>
          <small>{suggestion.hint}</small>
        </>
      )
    case 'account':
    case 'author':
      return (
        <>
          <Avatar account={suggestion.account} size={32} />
          <AccountNames account={suggestion.account} />
        </>
      )
    case 'tag':
      return (
        <>
          <Icon icon={Hash} />
          <bdi>#{suggestion.name}</bdi>
        </>
      )
    case 'recent':
      return (
        <>
          <Icon icon={History} />
          <bdi>{suggestion.query}</bdi>
        </>
      )
    case 'address':
      return (
        <>
          <Icon icon={ExternalLink} />
          <span>{texts.search.open_address}</span>
        </>
      )
  }
}
