// The effect of the viewer's filters on a status, in the place that shows it. The server says which filters match.
import { useLocation } from 'preact-iso'
import type { Filter, Status } from '../api/entities.ts'

type FilterContext = Filter['context'][number]

/** `titles`: of the filters that match, to explain what happened. */
export type Filtering = { action: Filter['filter_action']; titles: string[] } | null

const STRENGTH = { hide: 3, warn: 2, blur: 1 } as const

/** Without `context`, filters of all contexts count. */
export function filteringOf(status: Pick<Status, 'filtered'>, context: FilterContext | undefined): Filtering {
  const filters = (status.filtered ?? [])
    .map(({ filter }) => filter)
    .filter((filter) => !context || filter.context.includes(context))
    .toSorted((a, b) => STRENGTH[b.filter_action] - STRENGTH[a.filter_action])
  const [strongest] = filters
  if (!strongest) return null
  const { filter_action: action } = strongest
  return { action, titles: filters.filter((each) => each.filter_action === action).map(({ title }) => title) }
}

/** The address says where one is: lists count as home, searches and tags as public. */
export function useFilterContext(): FilterContext {
  const { path } = useLocation()
  if (/^\/(home|lists\/.*)?$/.test(path)) return 'home'
  if (path.startsWith('/notifications')) return 'notifications'
  if (/^\/@[^/]+\/\d+/.test(path)) return 'thread'
  return path.startsWith('/@') ? 'account' : 'public'
}

/** Whether a filter hides it altogether; warnings are shown with the status. */
export const isHiddenByFilter = ({ reblog, ...status }: Status, context: Parameters<typeof filteringOf>[1]): boolean =>
  [status, reblog].some((each) => each && filteringOf(each, context)?.action === 'hide')
