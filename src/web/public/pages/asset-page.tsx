import { assetTexts } from '#domain/asset-texts.ts'
import { lazy, memo, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { fetchStore, FetchStoreProvider, useFetched } from '#web/api/fetched.ts'
import { predictionQuery, targetsQuery } from '#web/api/queries.ts'
import { refreshOnReturn } from '#web/api/reach.ts'
import { openingDays } from '#chart/axes.ts'
import { type Asset } from '#domain/asset.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { dayFromNumber, type Day } from '#domain/day.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type Span } from '#chart/scale.ts'
import { verdictSentence } from '#domain/judging/verdict-text.ts'
import { closeDialogs, openDialog, useDialogPlace } from '#web/address/dialog-place.ts'
import { useAddressState } from '#web/address/address-state.ts'
import { type HistoryView } from '#domain/listing/history-view.ts'
import { type HistoryTableProps } from '#web/public/predictions/history-table.tsx'
import { countsOf, expertsOf, filterText } from '#domain/listing/listing.ts'
import { PredictionPanel } from '#web/public/predictions/prediction-panel.tsx'
import {
  activeOnes,
  cycleFilter,
  drawnMeanwhile,
  FILTER_LABELS,
  togglePrediction,
  type Drawable,
  type Selection,
  type StatusFilter,
} from '#domain/listing/selection.ts'
import { ChartFrame } from '#web/public/prices/chart-frame.tsx'
import { PriceHeader } from '#web/public/prices/price-header.tsx'
import { BackToTop } from '#web/public/shell/back-to-top.tsx'
import { BottomBar } from '#web/public/shell/bottom-bar.tsx'
import { useSite, type ContentOf, type PageProps } from '#web/head/site.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { AbovePhone } from '#web/ui/above-phone.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { useInBrowser } from '#web/ui/use-in-browser.ts'
import { useEscape } from '#web/ui/use-escape.ts'
import css from './asset-page.module.css'
import { DASHBOARD_ADDRESS, reset, select, type DashboardState } from './dashboard-state.ts'
import { useRecord, type ShownRecord } from './use-record.ts'
import { Row } from '#web/ui/stack.tsx'

const loadHistory = () => import('#web/public/predictions/history-table.tsx')
// The server draws it; a page comes to life before it, and asks for its code meanwhile.
const HistoryTable = import.meta.env.SSR
  ? (await loadHistory()).HistoryTable
  : lazy(async () => ({ default: (await loadHistory()).HistoryTable }))
if (!import.meta.env.SSR && matchMedia('(min-width: 768px)').matches) {
  // The table asks again.
  loadHistory().catch(() => undefined)
}
const KnownDaysOf = import.meta.env.SSR
  ? (await import('#web/public/prices/known-days.tsx')).KnownDaysOf
  : lazy(async () => ({
      default: (await import('#web/public/prices/known-days.tsx')).KnownDaysOf,
    }))
const ShownNote = lazy(async () => ({
  default: (await import('#web/public/predictions/shown-note.tsx')).ShownNote,
}))
const AssetPicker = lazy(async () => ({
  default: (await import('#web/public/shell/asset-picker.tsx')).AssetPicker,
}))
const TimeMachine = lazy(async () => ({
  default: (await import('#web/public/prices/time-machine.tsx')).TimeMachine,
}))
const AssetInvites = import.meta.env.SSR
  ? (await import('./asset-invites.tsx')).AssetInvites
  : lazy(async () => ({ default: (await import('./asset-invites.tsx')).AssetInvites }))
const EvidenceDialog = lazy(async () => ({
  default: (await import('#web/public/predictions/evidence-dialog.tsx')).EvidenceDialog,
}))

/** Begins the place of a prediction's evidence: `#call-` and its id. */
const CALL = 'call-'

/** One for the visit, so that going back asks for nothing twice. */
const visitStore = fetchStore()

/** The dashboard of an asset: its price, its predictions over it, the list beside and the history below. */
export function AssetPage({ content }: PageProps<'asset'>) {
  const store = useMemo(() => (import.meta.env.SSR ? fetchStore() : visitStore), [])
  useEffect(() => refreshOnReturn(() => store.refreshShown()), [store])
  useEffect(() => {
    const seenAgain = (): void => {
      if (document.visibilityState === 'visible') store.refreshOld()
    }
    document.addEventListener('visibilitychange', seenAgain)
    return () => document.removeEventListener('visibilitychange', seenAgain)
  }, [store])
  return (
    <FetchStoreProvider value={store}>
      <Dashboard key={content.asset} content={content} />
    </FetchStoreProvider>
  )
}

function Dashboard({ content }: { readonly content: ContentOf<'asset'> }) {
  const site = useSite()
  const [state, change] = useAddressState(DASHBOARD_ADDRESS)
  const { view, selection, history } = state
  const { record, targets, setInView } = useRecordOf(content, state)
  const { asset, past, prices, close, predictions, part, feed } = record
  const today = past ?? site.today
  const isListed = record.list.state === 'ready'
  const [drawer, setDrawer] = useDrawer()
  const inBrowser = useInBrowser()

  const { drawable, active, activeIds, counts } = useChoice(record, selection, view.mode, today)

  const onSelect = useCallback(
    (step: (selection: Selection) => Selection) => change((before) => select(before, step)),
    [change],
  )
  const onToggle = useCallback(
    (id: string, card?: Prediction) =>
      onSelect((before) => togglePrediction(before, id, withCard(drawable, card))),
    [onSelect, drawable],
  )
  const chart = useRef<HTMLDivElement>(null)
  const [pressed, setPressed] = useState<Prediction | null>(null)
  const onCard = (card: Prediction): void => {
    setPressed(card)
    onToggle(card.id, card)
  }
  const onOpen = useCallback((id: string) => openDialog(CALL + encodeURIComponent(id)), [])
  const onHistory = useCallback(
    (next: HistoryView) => change((before) => ({ ...before, history: next })),
    [change],
  )
  const onReset = (): void => change(reset)
  // The same element while prices and predictions arrive: React keeps what the server drew until its code is there.
  const { openSubmit } = site
  const invites = useMemo(
    () => (
      <Suspense fallback={null}>
        <AssetInvites asset={asset} onSubmit={openSubmit} />
      </Suspense>
    ),
    [asset, openSubmit],
  )

  return (
    <>
      <div className={css.screen}>
        <div className={css.stage}>
          <Row gap={4} whole>
            <div className={css.price}>
              <PriceHeader
                asset={asset}
                feed={feed}
                past={past}
                close={close}
                loading={prices.state === 'pending'}
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
          <div className={css.chart} ref={chart}>
            <ChartFrame
              asset={asset}
              feed={feed}
              prices={prices}
              past={past}
              active={active}
              all={targets}
              view={view}
              onView={(next) => change((before) => ({ ...before, view: next }))}
              today={today}
              describe={(prediction) => verdictSentence(prediction, view.mode)}
              onOpen={onOpen}
              onToggle={onToggle}
              onDays={setInView}
              filter={filterText(selection, part?.chosen ?? expertsOf(predictions))}
            />
          </div>
          <div className={css.time} data-past={past !== null}>
            {inBrowser && (record.first !== null || past !== null) && (
              <Suspense fallback={null}>
                <TimeMachine
                  record={record}
                  today={site.today}
                  mode={view.mode}
                  onDay={(day) => change((before) => ({ ...before, day }))}
                />
              </Suspense>
            )}
          </div>
        </div>
        <aside className={css.panel} id="panel" data-open={drawer} aria-label="Predictions">
          <div className={css.drawerHead}>
            <IconButton label="Close the predictions" onClick={() => setDrawer(false)}>
              <Icon name="close" />
            </IconButton>
          </div>
          {/* Boundaries of their own come to life after the chart, in short steps. */}
          <Suspense fallback={null}>
            <PredictionPanel
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
              submitCard={invites}
            />
          </Suspense>
        </aside>
      </div>
      {isListed && (
        <Below
          asset={asset}
          isPast={past !== null}
          predictions={predictions}
          part={part?.history ?? null}
          prices={prices.state === 'ready' ? prices.data : null}
          mode={view.mode}
          view={history}
          onView={onHistory}
          onOpen={onOpen}
        />
      )}
      {pressed !== null && (
        <Suspense fallback={null}>
          <ShownNote pressed={pressed} isOn={activeIds.has(pressed.id)} chart={chart} />
        </Suspense>
      )}
      <BackToTop />
      <BottomBar
        filter={filterOf(selection, counts)}
        onMenu={() => openDialog('menu')}
        onReset={onReset}
        onFilter={
          isListed && (part?.total ?? predictions.length) === 0 ? null : () => onSelect(cycleFilter)
        }
      />
      <Dialogs record={record} mode={view.mode} activeIds={activeIds} onToggle={onToggle} />
    </>
  )
}

/** Whether the panel of a narrow screen is open; Escape closes it. */
function useDrawer() {
  const [isOpen, setOpen] = useState(false)
  useEscape(isOpen, () => setOpen(false))
  return [isOpen, setOpen] as const
}

/** What the bar of a phone says of the filter; null where there is none. */
function filterOf({ filter }: Selection, counts: Readonly<Record<StatusFilter, number>>) {
  return filter === 'all' ? null : { label: FILTER_LABELS[filter], count: counts[filter] }
}

/** The record with what of it is to be seen, what its open targets are counted of, and what tells it which days the chart shows. */
function useRecordOf(
  { asset, seed }: ContentOf<'asset'>,
  { view, selection, history, day }: DashboardState,
) {
  const [inView, setInView] = useState<Span | null>(null)
  const days = view.range || view.frame ? wholeDays(inView) : null
  const record = useRecord(asset, seed, day, {
    selection,
    mode: view.mode,
    history,
    days,
    past: null,
  })
  const targets = useTargets(record, view)
  return { record, targets, setInView }
}

/** What open targets are counted of: all of the record, or where a large one aims; null until it is known. */
function useTargets({ asset, list, part }: ShownRecord, { targets, mode }: DashboardState['view']) {
  const isWanted = part !== null && targets !== null
  const { data } = useFetched(
    targetsQuery(asset.key, mode, part?.question.past ?? null, part?.version ?? ''),
    isWanted,
  )
  const [held, hold] = useState(data)
  if (data !== undefined && data !== held) hold(data)
  if (part) return data ?? held ?? null
  return list.state === 'ready' ? list.data : null
}

/** What of the record is drawn, and how many predictions each filter has. */
function useChoice(
  { asset, past, predictions, part }: ShownRecord,
  selection: Selection,
  mode: JudgeMode,
  today: Day,
) {
  const whole = useMemo<Drawable>(
    () => ({
      predictions,
      mode,
      opening: openingDays(asset.axis, today),
      isPast: past !== null,
    }),
    [predictions, mode, asset, today, past],
  )
  const active = useMemo(() => {
    if (!part) return activeOnes(selection, whole)
    const drawn = part.drawn.ones
    return part.isAnswer ? drawn : drawnMeanwhile(selection, drawn, predictions)
  }, [selection, whole, part, predictions])
  const drawable = useMemo<Drawable>(() => {
    if (!part) return whole
    const beyond = part.drawn.total - part.drawn.ones.length
    return { ...whole, part: { ones: active, total: active.length + beyond } }
  }, [whole, part, active])
  const activeIds = useMemo(() => new Set(active.map(({ id }) => id)), [active])
  const counts = useMemo(
    () => part?.counts[mode] ?? countsOf(selection, predictions, mode),
    [selection, predictions, part, mode],
  )

  return { drawable, active, activeIds, counts }
}

/** With a card of a large record, of which nothing else may be at hand. */
function withCard(drawable: Drawable, card: Prediction | undefined): Drawable {
  const { predictions } = drawable
  if (!card || predictions.some(({ id }) => id === card.id)) return drawable
  return { ...drawable, predictions: [...predictions, card] }
}

/** Whole days, so that a small movement asks for nothing else. */
function wholeDays(days: Span | null): readonly [Day, Day] | null {
  return days && [dayFromNumber(Math.floor(days[0])), dayFromNumber(Math.ceil(days[1]))]
}

/** The one dialog that may be open over the dashboard, as the address names it. */
function Dialogs({
  record,
  mode,
  activeIds,
  onToggle,
}: {
  readonly record: ShownRecord
  readonly mode: JudgeMode
  readonly activeIds: ReadonlySet<string>
  readonly onToggle: (id: string) => void
}) {
  const { priced } = useSite()
  const place = useDialogPlace()
  const opened = useOpened(record, place)
  const onClose = (): void => closeDialogs()
  return (
    <Suspense fallback={null}>
      {place === 'menu' && (
        <AssetPicker
          current={record.asset.key}
          priced={priced}
          onRefresh={record.refresh}
          onClose={onClose}
        />
      )}
      {opened && (
        <EvidenceDialog
          prediction={opened}
          mode={mode}
          isPast={record.past !== null}
          active={activeIds.has(opened.id)}
          onToggle={onToggle}
          onClose={onClose}
        />
      )}
    </Suspense>
  )
}

/** The prediction whose evidence is open, which need not be among those of a large record that are shown. */
function useOpened(
  { predictions, part, asset, past }: ShownRecord,
  place: string,
): Prediction | undefined {
  const isCall = place.startsWith(CALL)
  const shown = isCall
    ? predictions.find(({ id }) => CALL + encodeURIComponent(id) === place)
    : undefined
  const isElsewhere = isCall && !shown && part !== null && past === null
  const { data } = useFetched(
    predictionQuery(isElsewhere ? place.slice(CALL.length) : ''),
    isElsewhere,
  )
  return shown ?? (isElsewhere && data?.asset === asset.key ? data : undefined)
}

/**
 * The record of all predictions, and the days of which highs and lows are known. While nothing of it changes it is not drawn
 * again: React would take down what the server drew before the code for it has come.
 */
const Below = memo(function Below({
  asset,
  isPast,
  ...history
}: { readonly asset: Asset; readonly isPast: boolean } & Omit<HistoryTableProps, 'empty'>) {
  return (
    <Suspense fallback={null}>
      <div className={css.below}>
        <AbovePhone>
          <HistoryTable empty={assetTexts(asset, isPast).empty} {...history} />
        </AbovePhone>
        {!isPast && <KnownDaysOf asset={asset.key} />}
      </div>
    </Suspense>
  )
})
