import { assetTexts, type Asset } from '#domain/asset.ts'
import { type Listed, type Paged } from '#domain/listing/part.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { memo, useState, useEffect, useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Notice, Skeleton } from '#web/ui/notice.tsx'
import { PredictionCard } from './prediction-card.tsx'
import { type VisiblePart } from '#web/api/part.ts'
import { Stack } from '#web/ui/primitives.tsx'
import { showCount } from '#domain/price-text.ts'
import { useFetched, useFetchStore, useLast, type Loading } from '#web/api/fetched.ts'
import { callsQuery } from '#web/api/queries.ts'

type CardsProps = {
  readonly asset: Asset
  readonly part: VisiblePart | null
  readonly activeIds: ReadonlySet<string>
  readonly mode: JudgeMode
  readonly isPast: boolean
  readonly onToggle: (prediction: Listed) => void
}

export const CardList = memo(function CardList({
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
  if (predictions.state === 'pending') {
    return <Skeleton shape="card" count={5} label={texts.loadingPredictions} />
  }
  if (predictions.state === 'failed') {
    return (
      <Notice
        alert
        title={`${asset.symbol} predictions could not be loaded`}
        text={predictions.message}
        onRetry={predictions.retry}
      />
    )
  }
  const ones = predictions.data
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
  const { part, mode, isPast, activeIds, onToggle } = shared
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
  const store = useFetchStore()
  const query = callsQuery(asset.key, part.question, cursor, part.version)
  const { data, error } = useFetched(query)
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
          onRetry={() => void store.refresh(query)}
        />
      ) : (
        <Skeleton shape="card" count={3} label={assetTexts(asset).loadingPredictions} />
      )}
    </li>
  )
}

export function More({ rest, onMore }: { readonly rest: number; readonly onMore: () => void }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = ref.current
    if (!element || !('IntersectionObserver' in window)) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) onMore()
      },
      { rootMargin: '600px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  })
  return (
    <div ref={ref} className="column">
      <Button onClick={onMore}>Show more ({showCount(rest)})</Button>
    </div>
  )
}
