import { assetTexts } from '#domain/asset-texts.ts'
import { type Asset } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { type Loading } from '#web/ui/loading.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import css from './card-list.module.css'
import { PredictionCard } from './prediction-card.tsx'
import { Stack } from '#web/ui/stack.tsx'

/** Cards shown at first, and added each time the end comes near: thousands would make the page heavy. */
const STEP = 20

/** The predictions as cards, in the order given. */
export function CardList({
  asset,
  predictions,
  isFiltered,
  activeIds,
  mode,
  isPast,
  onToggle,
  onClearFilters,
}: {
  readonly asset: Asset
  readonly predictions: Loading<readonly Prediction[]>
  /** The list is empty because of a filter, not for want of predictions. */
  readonly isFiltered: boolean
  readonly activeIds: ReadonlySet<string>
  readonly mode: JudgeMode
  readonly isPast: boolean
  readonly onToggle: (id: string) => void
  readonly onClearFilters: () => void
}) {
  const [shown, setShown] = useState(STEP)
  if (predictions.state === 'pending') {
    return <Skeleton shape="card" count={5} label={assetTexts(asset).loadingPredictions} />
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
  const all = predictions.data
  if (all.length === 0 && isFiltered) {
    return (
      <Notice title="No prediction matches" text="Try another expert, status or word.">
        <Button onClick={onClearFilters}>Show all</Button>
      </Notice>
    )
  }
  if (all.length === 0)
    return <Notice title={assetTexts(asset).empty} text={assetTexts(asset).emptyHint} />
  const rest = all.length - shown
  return (
    <>
      <Stack as="ul" aria-label={`${asset.symbol} predictions`}>
        {all.slice(0, shown).map((prediction) => (
          <PredictionCard
            key={prediction.id}
            prediction={prediction}
            mode={mode}
            isPast={isPast}
            active={activeIds.has(prediction.id)}
            onToggle={onToggle}
          />
        ))}
      </Stack>
      {rest > 0 && <More rest={rest} onMore={() => setShown((count) => count + STEP)} />}
    </>
  )
}

/** Shows more when it comes near the screen; a button for those who move by keyboard. */
function More({ rest, onMore }: { readonly rest: number; readonly onMore: () => void }) {
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
    <div ref={ref} className={css.more}>
      <Button onClick={onMore}>Show more ({rest})</Button>
    </div>
  )
}
