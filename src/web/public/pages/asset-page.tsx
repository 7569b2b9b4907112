import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import {
  lazy,
  memo,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
} from 'react'
import { type Span } from '#chart/scale.ts'
import { assetTexts, type Asset } from '#domain/asset.ts'
import { dayFromNumber, type Day } from '#domain/day.ts'
import { type HistoryView } from '#domain/listing/history-view.ts'
import { filterText, type Listed } from '#domain/listing/part.ts'
import {
  cycleFilter,
  drawnMeanwhile,
  FILTER_LABELS,
  togglePrediction,
  type OnChart,
  type Selection,
} from '#domain/listing/selection.ts'
import { useAddressState } from '#web/address/address-state.ts'
import { type VisiblePart } from '#web/api/part.ts'
import { newClient, targetsQuery } from '#web/api/queries.ts'
import { refreshOnReturn } from '#web/api/reach.ts'
import { useSite, type ContentOf, type PageProps } from '#web/head/site.ts'
import { FollowButton } from '#web/public/follow/follow-button.tsx'
import { type HistoryTableProps } from '#web/public/predictions/history-table.tsx'
import { PredictionPanel } from '#web/public/predictions/prediction-panel.tsx'
import { ChartFrame } from '#web/public/prices/chart-frame.tsx'
import { PriceHeader } from '#web/public/prices/price-header.tsx'
import { BottomBar } from '#web/public/shell/bottom-bar.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { useEscape, useLast } from '#web/ui/hooks.ts'
import { Icon } from '#web/ui/icon.tsx'
import { AbovePhone, InBrowser } from '#web/ui/layout.tsx'
import { Row } from '#web/ui/primitives.tsx'
import { later } from '#web/ui/still.tsx'
import { Dialogs, openEvidence } from './asset-dialogs.tsx'
import { DASHBOARD_ADDRESS, reset, select, type DashboardState } from './dashboard-state.ts'
import { useRecord } from './use-record.ts'
import css from './asset-page.module.css'

const loadHistory = () => import('#web/public/predictions/history-table.tsx')
// Rendered by the server; its code is loaded while the page is hydrated.
const HistoryTable = import.meta.env.SSR
  ? (await loadHistory()).HistoryTable
  : lazy(async () => ({ default: (await loadHistory()).HistoryTable }))
if (!import.meta.env.SSR && matchMedia('(min-width: 768px)').matches) {
  // The table makes its own request.
  loadHistory().catch(() => undefined)
}
const KnownDaysOf = import.meta.env.SSR
  ? (await import('#web/public/prices/known-days.tsx')).KnownDaysOf
  : lazy(async () => ({ default: (await import('#web/public/prices/known-days.tsx')).KnownDaysOf }))
const SelectionNote = later(
  async () => (await import('#web/public/predictions/shown-note.tsx')).SelectionNote,
)
const TimeMachine = later(
  async () => (await import('#web/public/prices/time-machine.tsx')).TimeMachine,
)

const visitClient = newClient()

export function AssetPage({ content }: PageProps<'asset'>) {
  const client = useMemo(() => (import.meta.env.SSR ? newClient() : visitClient), [])
  useEffect(
    () => refreshOnReturn(() => client.refetchQueries({ type: 'active' }, { throwOnError: true })),
    [client],
  )
  return (
    <QueryClientProvider client={client}>
      <Dashboard key={content.asset} content={content} />
    </QueryClientProvider>
  )
}

function Dashboard({ content }: { readonly content: ContentOf<'asset'> }) {
  const site = useSite()
  const [state, change] = useAddressState(DASHBOARD_ADDRESS)
  const { view, selection, history } = state
  const { record, targets, setInView, onWholePage } = useRecordOf(content, state)
  const { asset, past, prices, close, part, feed } = record
  const today = past ?? site.today
  const [drawer, setDrawer] = useState(false)
  useEscape(drawer, () => setDrawer(false))

  const [pressed, setPressed] = useState<Listed | null>(null)
  const { active, activeIds, onChart } = useChoice(part, selection, pressed)
  // Update the panel first, because drawing hundreds of marks on thousands of closes takes longer.
  const drawn = useDeferredValue(active)
  const drawnPrices = useDeferredValue(prices)
  const drawnTargets = useDeferredValue(targets)

  const onSelect = useCallback(
    (step: (selection: Selection) => Selection) => change((before) => select(before, step)),
    [change],
  )
  const onToggle = useCallback(
    (id: string) => onSelect((before) => togglePrediction(before, id, onChart)),
    [onSelect, onChart],
  )
  const chart = useRef<HTMLDivElement>(null)
  const onCard = useCallback(
    (card: Listed) => {
      setPressed(card)
      onToggle(card.id)
    },
    [onToggle],
  )
  const onHistory = useCallback(
    (next: HistoryView) => change((before) => ({ ...before, history: next })),
    [change],
  )
  const onReset = useCallback(() => change(reset), [change])

  return (
    <>
      <div className={css.screen}>
        <div className={css.stage}>
          <Row gap={4} whole>
            <div className="shrinks grow">
              <PriceHeader
                asset={asset}
                feed={feed}
                past={past}
                close={close}
                loading={!prices.data && !prices.error}
              />
            </div>
            <Button
              className={css.openPanel}
              aria-expanded={drawer}
              aria-controls="panel"
              onClick={() => setDrawer(!drawer)}
            >
              <Icon name="panel" /> Predictions
            </Button>
          </Row>
          <div className={`${css.chart} relative`} ref={chart}>
            <ChartFrame
              asset={asset}
              feed={feed}
              prices={drawnPrices}
              past={past}
              predictions={drawn}
              all={drawnTargets}
              view={view}
              onView={(next) => change((before) => ({ ...before, view: next }))}
              today={today}
              hasPrices={close !== null}
              describe={({ id }) =>
                drawn.find((one) => one.id === id)?.texts[view.mode].sentence ?? ''
              }
              onOpen={openEvidence}
              onToggle={onToggle}
              onDays={setInView}
              filter={filterText(selection, part?.chosen ?? [])}
            />
          </div>
          <div className={`${css.time} by-script`} data-past={past !== null}>
            {(record.first !== null || past !== null) && (
              <InBrowser>
                <TimeMachine
                  record={record}
                  today={site.today}
                  mode={view.mode}
                  onDay={(day) => change((before) => ({ ...before, day }))}
                />
              </InBrowser>
            )}
          </div>
        </div>
        <aside className={css.panel} id="panel" data-open={drawer} aria-label="Predictions">
          <Row justify="end" className={`${css.drawerHead} by-script`}>
            <IconButton label="Close the predictions" onClick={() => setDrawer(false)}>
              <Icon name="close" />
            </IconButton>
          </Row>
          <Panel
            asset={asset}
            predictions={record.list}
            part={part}
            selection={selection}
            activeIds={activeIds}
            mode={view.mode}
            isPast={past !== null}
            onSelect={onSelect}
            onToggle={onCard}
            onReset={onReset}
            onSubmit={site.openSubmit}
          />
        </aside>
      </div>
      {part && (
        <Below
          asset={asset}
          isPast={past !== null}
          part={part.history}
          isEmpty={part.total === 0}
          mode={view.mode}
          view={history}
          onView={onHistory}
          onOpen={openEvidence}
          onWholePage={onWholePage}
        />
      )}
      {pressed !== null && (
        <SelectionNote pressed={pressed} isOn={activeIds.has(pressed.id)} chart={chart} />
      )}
      <BottomBar
        path={asset.route}
        actions={{
          filter:
            selection.filter === 'all'
              ? null
              : {
                  label: FILTER_LABELS[selection.filter],
                  count: part?.counts[view.mode][selection.filter] ?? 0,
                },
          onReset,
          onFilter: part?.total === 0 ? null : () => onSelect(cycleFilter),
        }}
      />
      <Dialogs record={record} mode={view.mode} activeIds={activeIds} onToggle={onToggle} />
    </>
  )
}

function useRecordOf(
  { asset, seed }: ContentOf<'asset'>,
  { view, selection, history, day }: DashboardState,
) {
  const [inView, setInView] = useState<Span | null>(null)
  const [isWholePage, setWholePage] = useState(wasTableNear)
  const onWholePage = useCallback(() => {
    wasTableNear = true
    setWholePage(true)
  }, [])
  const days = view.range || view.frame ? wholeDays(inView) : null
  const record = useRecord(asset, seed, day, {
    selection,
    mode: view.mode,
    history,
    days,
    past: null,
    isWholePage,
  })
  const { part } = record
  const past = part?.question.past ?? null
  const query = targetsQuery(asset, view.mode, past, part?.version ?? '')
  const { data } = useQuery({ ...query, enabled: part !== null && view.targets !== null })
  return { record, targets: useLast(data) ?? null, setInView, onWholePage }
}

/** Whether the table was loaded during this visit, so that returning restores the page height. */
let wasTableNear = false

/**
 * The predictions to draw.
 *
 * @param pressed a pressed card, which may be in no list of the part
 */
function useChoice(part: VisiblePart | null, selection: Selection, pressed: Listed | null) {
  const active = useMemo(() => {
    if (!part) return []
    const drawn = part.drawn.ones
    if (part.isAnswer) return drawn
    return drawnMeanwhile(selection, drawn, pressed ? [pressed, ...part.rows] : part.rows)
  }, [selection, part, pressed])
  const beyond = part ? part.drawn.total - part.drawn.ones.length : 0
  const onChart = useMemo<OnChart>(() => {
    return { ids: active.map(({ id }) => id), total: active.length + beyond }
  }, [active, beyond])
  const activeIds = useMemo(() => new Set(onChart.ids), [onChart])
  return { active, activeIds, onChart }
}

/** Rounded to whole days, so that small movements cause no request. */
function wholeDays(days: Span | null): readonly [Day, Day] | null {
  return days && [dayFromNumber(Math.floor(days[0])), dayFromNumber(Math.ceil(days[1]))]
}

/** Hydrated after the chart, in short steps; memoized, as an update meanwhile would hydrate all of it at once. */
const Panel = memo(function Panel(props: ComponentProps<typeof PredictionPanel>) {
  return (
    <Suspense fallback={null}>
      <PredictionPanel
        {...props}
        follow={<FollowButton kind="asset" subject={props.asset.key} asIcon />}
      />
    </Suspense>
  )
})

/** Memoized, because rendering before its code has loaded would remove the server's markup. */
const Below = memo(function Below({
  asset,
  isPast,
  ...history
}: { readonly asset: Asset; readonly isPast: boolean } & Omit<HistoryTableProps, 'empty'>) {
  return (
    <Suspense fallback={null}>
      <div className={`${css.below} container off-phones`}>
        <AbovePhone>
          <HistoryTable empty={assetTexts(asset, isPast).empty} {...history} />
        </AbovePhone>
        {!isPast && <KnownDaysOf asset={asset.key} />}
      </div>
    </Suspense>
  )
})
