import { useQuery } from '@tanstack/react-query'
import { memo, useState, type ReactNode } from 'react'
import { type Asset, assetTexts } from '#domain/asset.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type Listed, type Paged } from '#domain/listing/part.ts'
import {
  chooseExpert,
  drawLeading,
  FILTER_LABELS,
  isBare,
  pressedFilter,
  pressFilter,
  STATUS_FILTERS,
  toggleMultiple,
  type Selection,
} from '#domain/listing/selection.ts'
import { showCount } from '#domain/price-text.ts'
import { type VisiblePart } from '#web/api/part.ts'
import { callsQuery, type Loading } from '#web/api/queries.ts'
import { Button, IconButton, More } from '#web/ui/button.tsx'
import { Segments } from '#web/ui/chip.tsx'
import { SearchField } from '#web/ui/field.tsx'
import { useLast } from '#web/ui/hooks.ts'
import { Icon } from '#web/ui/icon.tsx'
import { Notice, Skeleton } from '#web/ui/notice.tsx'
import { classNames, Row, Stack } from '#web/ui/primitives.tsx'
import { ExpertPicker } from './expert-picker.tsx'
import { PredictionCard } from './prediction-card.tsx'
import css from './predictions.module.css'

export function PredictionPanel({
  asset,
  predictions,
  part,
  selection,
  activeIds,
  mode,
  isPast = false,
  onSelect,
  onToggle,
  onReset,
  onSubmit,
  follow,
}: CardsProps & {
  readonly predictions: Loading<readonly Listed[]>
  readonly selection: Selection
  readonly onSelect: (step: (selection: Selection) => Selection) => void
  readonly onReset: () => void
  readonly onSubmit: () => void
  readonly follow?: ReactNode
}) {
  // Filters are pointless for an empty list.
  const hasNone = part?.total === 0
  const counts = part?.counts[mode] ?? null
  const selected = part?.question.selection ?? selection
  return (
    <Stack
      as="section"
      gap={2}
      aria-labelledby="panel-title"
      aria-busy={part !== null && !part.isAnswer}
    >
      <Stack className="by-script" gap={2}>
        <h2 className={classNames(!hasNone && 'aside-voice')} id="panel-title">
          {hasNone ? 'Predictions' : 'Filter by Expert'}
        </h2>
        {!hasNone && (
          <>
            <Row whole>
              <ExpertPicker
                asset={asset.key}
                options={part?.chosen ?? []}
                total={part?.total ?? 0}
                past={part?.question.past ?? null}
                chosen={selection.experts}
                multiple={selection.multiple}
                onChoose={(slug) => onSelect((before) => chooseExpert(before, slug))}
              />
              <IconButton
                label={selection.multiple ? 'Single influencer mode' : 'Multiple influencer mode'}
                look="plain"
                aria-pressed={selection.multiple}
                onClick={() => onSelect(toggleMultiple)}
              >
                <Icon name="plus" />
              </IconButton>
              <IconButton label="Reset filters and chart" look="plain" onClick={onReset}>
                <Icon name="reset" />
              </IconButton>
              {follow}
            </Row>
            <SearchField
              label="Search predictions"
              value={selection.search}
              onChange={(text) => onSelect((before) => ({ ...before, search: text }))}
            />
            <div className={css.status}>
              <Segments
                label="Filter by status"
                options={STATUS_FILTERS.map((each) => [
                  each,
                  <>
                    {FILTER_LABELS[each]}{' '}
                    <span className="regular">{counts ? showCount(counts[each]) : '–'}</span>
                  </>,
                ])}
                value={pressedFilter(selection)}
                onChoose={(each) => onSelect((before) => pressFilter(before, each))}
              />
            </div>
            <p className="one-line muted small">
              {part &&
                drawnText(activeIds.size, counts?.all ?? 0, part.isAnswer ? part.drawn.total : 0)}
              {isBare(selection) && (
                <Button size="small" look="quiet" onClick={() => onSelect(drawLeading)}>
                  Show the leading ones
                </Button>
              )}
            </p>
          </>
        )}
      </Stack>
      <Stack gap={2}>
        <Button
          size="small"
          className={`${css.submit} full`}
          aria-haspopup="dialog"
          onClick={onSubmit}
        >
          <strong>{assetTexts(asset).submitTitle}</strong>{' '}
          <span className="muted regular">{assetTexts(asset).submitHint}</span>
        </Button>
        <CardList
          // Scroll to the top for a new list.
          key={`${selected.filter} ${selected.experts.join(' ')} ${selected.search}`}
          asset={asset}
          predictions={predictions}
          part={part}
          isFiltered={!hasNone}
          activeIds={activeIds}
          mode={mode}
          isPast={isPast}
          onToggle={onToggle}
          onClearFilters={onReset}
        />
      </Stack>
    </Stack>
  )
}

/**
 * `12 of 110 on the chart`.
 *
 * @param limit number drawn if space were unlimited
 */
function drawnText(drawn: number, all: number, limit: number): string {
  if (limit > drawn) {
    return `${showCount(drawn)} of ${showCount(limit)} on the chart: those with the most votes, then the newest. Zoom in for others.`
  }
  if (drawn === 0) return 'None on the chart'
  return drawn > all
    ? `${showCount(drawn)} on the chart`
    : `${showCount(drawn)} of ${showCount(all)} on the chart`
}

type CardsProps = {
  readonly asset: Asset
  readonly part: VisiblePart | null
  readonly activeIds: ReadonlySet<string>
  readonly mode: JudgeMode
  readonly isPast?: boolean
  readonly onToggle: (prediction: Listed) => void
}

const CardList = memo(function CardList({
  predictions,
  isFiltered,
  onClearFilters,
  ...shared
}: CardsProps & {
  readonly predictions: Loading<readonly Listed[]>
  readonly isFiltered: boolean
  readonly onClearFilters: () => void
}) {
  const { asset, part } = shared
  const texts = assetTexts(asset)
  const { data: ones, error, refetch } = predictions
  if (!ones && error) {
    return (
      <Notice
        alert
        title={`${asset.symbol} predictions could not be loaded`}
        text={error.message}
        onRetry={() => void refetch()}
      />
    )
  }
  if (!ones) return <Skeleton shape="card" count={5} label={texts.loadingPredictions} />
  if (ones.length === 0 && isFiltered) {
    return (
      <Notice title="No prediction matches" text="Try another expert, status or word.">
        <Button onClick={onClearFilters}>Show all</Button>
      </Notice>
    )
  }
  if (ones.length === 0) return <Notice title={texts.empty} text={texts.emptyHint} />
  const { total = ones.length, next = null } = part?.listed ?? {}
  return (
    <Stack as="ul" gap={2} aria-label={`${asset.symbol} predictions`}>
      <Cards {...shared} {...{ ones, total, next }} before={0} />
    </Stack>
  )
})

/**
 * Cards, with more on demand.
 *
 * @param before number of cards before these
 */
function Cards({
  ones,
  total,
  next,
  before,
  ...shared
}: CardsProps & Paged<Listed> & { readonly before: number }) {
  const { part, mode, isPast = false, activeIds, onToggle } = shared
  const [goesOn, setGoesOn] = useState(false)
  const count = before + ones.length
  return (
    <>
      {ones.map((prediction) => (
        <PredictionCard
          key={prediction.id}
          prediction={prediction}
          mode={mode}
          isPast={isPast}
          active={activeIds.has(prediction.id)}
          onToggle={onToggle}
        />
      ))}
      {part && goesOn && next !== null && (
        <FurtherCards {...shared} part={part} cursor={next} before={count} />
      )}
      {!goesOn && next !== null && (
        <li>
          <More rest={total - count} onMore={() => setGoesOn(true)} />
        </li>
      )}
    </>
  )
}

function FurtherCards({
  cursor,
  ...shared
}: CardsProps & {
  readonly part: VisiblePart
  readonly cursor: string
  readonly before: number
}) {
  const { asset, part } = shared
  const query = callsQuery(asset.key, part.question, cursor, part.version)
  const { data, error, refetch } = useQuery(query)
  // The previous cards stay until the new ones are loaded.
  const visible = useLast(data)
  if (visible) return <Cards {...shared} {...visible} />
  return (
    <li>
      {error ? (
        <Notice
          alert
          title="More predictions could not be loaded"
          text={error.message}
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton shape="card" count={3} label={assetTexts(asset).loadingPredictions} />
      )}
    </li>
  )
}
