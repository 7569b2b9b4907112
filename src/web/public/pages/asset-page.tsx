import { KnownDaysOf } from '#web/public/prices/known-days.tsx'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
} from 'react'
import { newQueryClient, predictionsQuery, pricesQuery } from '#web/api/queries.ts'
import { refreshOnReturn } from '#web/api/reach.ts'
import { liveFeedOf } from '#web/api/live.ts'
import { useLiveVerdicts } from '#web/api/live-verdicts.ts'
import { lastClose } from '#web/api/prices.ts'
import { openingDays } from '#chart/axes.ts'
import { ASSETS, type Asset } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { verdictSentence } from '#domain/judging/verdict-text.ts'
import { useAddressState } from '#web/address/address-state.ts'
import { HistoryTable } from '#web/public/predictions/history-table.tsx'
import { countsOf, filterText } from '#web/public/predictions/listing.ts'
import { PredictionPanel } from '#web/public/predictions/prediction-panel.tsx'
import {
  activeOnes,
  cycleFilter,
  FILTER_LABELS,
  togglePrediction,
  type Drawable,
  type Selection,
} from '#web/public/predictions/selection.ts'
import { ShownNote } from '#web/public/predictions/shown-note.tsx'
import { ChartFrame } from '#web/public/prices/chart-frame.tsx'
import { PriceHeader } from '#web/public/prices/price-header.tsx'
import { BackToTop } from '#web/public/shell/back-to-top.tsx'
import { BottomBar } from '#web/public/shell/bottom-bar.tsx'
import { SubmitCard } from '#web/public/submit/submit-card.tsx'
import { useSite, type ContentOf, type PageProps } from '#web/head/site.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { AbovePhone } from '#web/ui/above-phone.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { useEscape } from '#web/ui/use-escape.ts'
import { loadingOf } from './loading-of.ts'
import css from './asset-page.module.css'
import { DASHBOARD_ADDRESS, reset, select } from './dashboard-state.ts'
import { Row } from '#web/ui/stack.tsx'

const AssetPicker = lazy(async () => ({
  default: (await import('#web/public/shell/asset-picker.tsx')).AssetPicker,
}))
const EvidenceDialog = lazy(async () => ({
  default: (await import('#web/public/predictions/evidence-dialog.tsx')).EvidenceDialog,
}))

/** One for the visit, so that going back asks for nothing twice. */
const visitClient = newQueryClient()

/** The dashboard of an asset: its price, its predictions over it, the list beside and the history below. */
export function AssetPage({ content }: PageProps<'asset'>) {
  const client = useMemo(() => (import.meta.env.SSR ? newQueryClient() : visitClient), [])
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

const NONE: readonly Prediction[] = []

function Dashboard({ content }: { readonly content: ContentOf<'asset'> }) {
  const site = useSite()
  const asset = ASSETS[content.asset]
  const prices = useQuery(pricesQuery(asset.key, content.seed))
  const list = useQuery(predictionsQuery(asset.key, content.seed))
  const feed = liveFeedOf(asset.key)
  const predictions = useLiveVerdicts(list) ?? NONE
  const [state, change] = useAddressState(DASHBOARD_ADDRESS)
  const [dialog, setDialog] = useState<Dialog>(null)
  const [drawer, setDrawer] = useState(false)
  useEscape(drawer, () => setDrawer(false))

  const { view, selection, history } = state
  const drawable = useMemo<Drawable>(
    () => ({ predictions, mode: view.mode, opening: openingDays(asset.axis, site.today) }),
    [predictions, view.mode, asset, site.today],
  )
  const active = useMemo(() => activeOnes(selection, drawable), [selection, drawable])
  const activeIds = useMemo(() => new Set(active.map(({ id }) => id)), [active])
  const counts = useMemo(
    () => countsOf(selection, predictions, view.mode),
    [selection, predictions, view.mode],
  )

  const onSelect = useCallback(
    (step: (selection: Selection) => Selection) => change((before) => select(before, step)),
    [change],
  )
  const onToggle = useCallback(
    (id: string) => onSelect((before) => togglePrediction(before, id, drawable)),
    [onSelect, drawable],
  )
  const chart = useRef<HTMLDivElement>(null)
  const [pressed, setPressed] = useState<string | null>(null)
  const onCard = (id: string): void => {
    setPressed(id)
    onToggle(id)
  }
  const onOpen = useCallback((id: string) => setDialog({ show: 'evidence', id }), [])
  const onReset = (): void => change(reset)
  const opened =
    dialog?.show === 'evidence' ? predictions.find(({ id }) => id === dialog.id) : undefined

  return (
    <>
      <div className={css.screen}>
        <div className={css.stage}>
          <Row gap={4} whole>
            <div className={css.price}>
              <PriceHeader
                asset={asset}
                feed={feed}
                close={prices.data ? lastClose(prices.data) : null}
                loading={prices.isPending}
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
              prices={loadingOf(prices)}
              active={active}
              all={list.isSuccess ? predictions : null}
              view={view}
              onView={(next) => change((before) => ({ ...before, view: next }))}
              today={site.today}
              describe={(prediction) => verdictSentence(prediction, view.mode)}
              onOpen={onOpen}
              onToggle={onToggle}
              filter={filterText(selection, predictions)}
            />
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
              predictions={loadingOf(list, predictions)}
              selection={selection}
              activeIds={activeIds}
              mode={view.mode}
              onSelect={onSelect}
              onToggle={onCard}
              onReset={onReset}
              submitCard={<SubmitCard asset={asset} onOpen={() => site.openSubmit(asset.key)} />}
            />
          </Suspense>
        </aside>
      </div>
      {list.isSuccess && (
        <Suspense fallback={null}>
          <Below
            asset={asset}
            predictions={predictions}
            mode={view.mode}
            view={history}
            onView={(next) => change((before) => ({ ...before, history: next }))}
            onOpen={onOpen}
          />
        </Suspense>
      )}
      <ShownNote pressed={pressed} active={active} predictions={predictions} chart={chart} />
      <BackToTop />
      <BottomBar
        filter={
          selection.filter === 'all'
            ? null
            : { label: FILTER_LABELS[selection.filter], count: counts[selection.filter] }
        }
        onMenu={() => setDialog({ show: 'assets' })}
        onReset={onReset}
        onFilter={list.isSuccess && predictions.length === 0 ? null : () => onSelect(cycleFilter)}
      />
      <Suspense fallback={null}>
        {dialog?.show === 'assets' && (
          <AssetPicker
            current={asset.key}
            priced={site.priced}
            onRefresh={() => void Promise.all([prices.refetch(), list.refetch()])}
            onClose={() => setDialog(null)}
          />
        )}
        {opened && (
          <EvidenceDialog
            prediction={opened}
            mode={view.mode}
            active={activeIds.has(opened.id)}
            onToggle={onToggle}
            onClose={() => setDialog(null)}
          />
        )}
      </Suspense>
    </>
  )
}

/** The record of all predictions, and the days of which highs and lows are known. */
function Below({
  asset,
  ...history
}: { readonly asset: Asset } & Omit<ComponentProps<typeof HistoryTable>, 'empty'>) {
  return (
    <div className={css.below}>
      <AbovePhone>
        <HistoryTable empty={asset.texts.empty} {...history} />
      </AbovePhone>
      <KnownDaysOf asset={asset.key} />
    </div>
  )
}

/** The one dialog that may be open over the dashboard. */
type Dialog =
  | null
  | { readonly show: 'assets' }
  | { readonly show: 'evidence'; readonly id: string }
