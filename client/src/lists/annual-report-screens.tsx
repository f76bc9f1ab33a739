// `/annual_report`: the years that have a report or may have one. `/annual_report/:year`: one report.
import { Sparkles } from 'lucide'
import { useRoute } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import type { AnnualReportState } from '../api/entities.ts'
import { useCached } from '../state/cached.ts'
import { useLoaded } from '../state/loaded.ts'
import { useMe } from '../state/me.ts'
import { storeStatus } from '../state/statuses.ts'
import { texts } from '../texts.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, LoadingOrFailed } from '../ui/state-message.tsx'
import { showError } from '../ui/toasts.tsx'
import { AnnualReportView } from './annual-report-view.tsx'
import './lists.css'

/** Older years are found by their addresses. */
const YEARS = 10
/** Milliseconds between looks at a report that is being created. */
const INTERVAL = 1500

type YearState = { year: number; state: AnnualReportState }

const pathOf = (year: number) => ({ path: { year: String(year) } })

async function stateOf(year: number): Promise<YearState> {
  const { state } = await read(api.GET('/api/v1/annual_reports/{year}/state', { params: pathOf(year) }))
  return { year, state }
}

async function loadYears(since: Date): Promise<YearState[]> {
  const latest = new Date().getFullYear()
  const first = Math.max(since.getFullYear(), latest - YEARS + 1)
  const years = await Promise.all(Array.from({ length: latest - first + 1 }, (_, index) => stateOf(latest - index)))
  const { annual_reports: unread } = await read(api.GET('/api/v1/annual_reports'))
  const others = unread.filter(({ year }) => !years.some((each) => each.year === year))
  return [...years, ...others.map(({ year }) => ({ year, state: 'available' as const }))]
    .filter(({ state }) => state !== 'ineligible')
    .toSorted((a, b) => b.year - a.year)
}

export function AnnualReportsScreen() {
  const { created_at: since } = useMe()
  const years = useLoaded(() => loadYears(new Date(since)), [since])
  const { value } = years
  const isGenerating = value?.some(({ state }) => state === 'generating') ?? false
  useEffect(() => {
    if (!isGenerating) return
    const timer = setInterval(years.reload, INTERVAL)
    return () => clearInterval(timer)
  }, [isGenerating])
  const t = texts.lists
  return (
    <Page title={t.annual_report}>
      {!value ? (
        <LoadingOrFailed loaded={years} />
      ) : value.length === 0 ? (
        <Empty>{t.annual_reports_empty}</Empty>
      ) : (
        <ul class="rows" aria-live="polite">
          {value.map((each) => (
            <li key={each.year} class="row">
              <YearRow {...each} reload={years.reload} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}

function YearRow({ year, state, reload }: YearState & { reload: () => void }) {
  const t = texts.lists
  const name = String(year)
  const [isBusy, setBusy] = useState(false)
  const generate = async () => {
    if (isBusy) return
    setBusy(true)
    await read(api.POST('/api/v1/annual_reports/{year}/generate', { params: pathOf(year) })).then(reload, showError)
    setBusy(false)
  }
  if (state === 'available')
    return (
      <a class="row-link" href={`/annual_report/${year}`}>
        <Icon icon={Sparkles} />
        <strong>{t.open_report({ year: name })}</strong>
      </a>
    )
  return (
    <div class="row-link">
      <Icon icon={Sparkles} />
      {state === 'generating' ? (
        <span>
          {name} · {t.generating}
        </span>
      ) : (
        <Button aria-busy={isBusy} onClick={() => void generate()}>
          {t.generate({ year: name })}
        </Button>
      )}
    </div>
  )
}

async function loadReport(year: number) {
  const loaded = await read(api.GET('/api/v1/annual_reports/{year}', { params: pathOf(year) }))
  for (const status of loaded.statuses) storeStatus(status)
  // Read reports are no longer announced.
  read(api.POST('/api/v1/annual_reports/{year}/read', { params: pathOf(year) })).catch((error: unknown) =>
    console.info(error),
  )
  return loaded
}

export function AnnualReportScreen() {
  const { params } = useRoute()
  const year = Number(params.year)
  const loaded = useCached(`annual report ${year}`, () => loadReport(year))
  const report = loaded.value?.annual_reports[0]
  return (
    <Page title={texts.lists.annual_report_of({ year: String(params.year) })}>
      {report ? <AnnualReportView report={report} /> : <LoadingOrFailed loaded={loaded} />}
    </Page>
  )
}
