// Tabs that are addresses: links, of which one is the current page.
import './tabs.css'

export type Tab = { href: string; label: string }

export function Tabs({ label, tabs, current }: { label: string; tabs: readonly Tab[]; current: string }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ href, label: text }) => (
        <a key={href} href={href} {...(href === current ? { 'aria-current': 'page' } : {})}>
          {text}
        </a>
      ))}
    </nav>
  )
}
