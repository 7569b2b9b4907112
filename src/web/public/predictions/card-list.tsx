import { assetTexts, type Asset } from '#domain/asset.ts'
import { type Listed } from '#domain/listing/part.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { memo, Suspense, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { type Loading } from '#web/ui/loading.ts'
import { Notice, Skeleton } from '#web/ui/loaded.tsx'
import { More } from './more.tsx'
import { PredictionCard } from './prediction-card.tsx'
import { type ShownPart } from '#web/api/part.ts'
import { Stack } from '#web/ui/primitives.tsx'
import { later } from '#web/ui/still.tsx'

const FurtherCards = later(async () => (await import('./further-cards.tsx')).FurtherCards)

export const CardList = memo(function CardList({
  asset,
  predictions,
  part,
  isFiltered,
  activeIds,
  mode,
  isPast,
  onToggle,
  onClearFilters,
}: {
  readonly asset: Asset
  readonly predictions: Loading<readonly Listed[]>
  readonly part: ShownPart | null
  /** The list is empty because of a filter, not for want of predictions. */
  readonly isFiltered: boolean
  readonly activeIds: ReadonlySet<string>
  readonly mode: JudgeMode
  readonly isPast: boolean
  readonly onToggle: (prediction: Listed) => void
  readonly onClearFilters: () => void
}) {
  const [goesOn, setGoesOn] = useState(false)
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
  const { total = all.length, next = null } = part?.listed ?? {}
  return (
    <>
      <Stack as="ul" gap={2} aria-label={`${asset.symbol} predictions`}>
        {all.map((prediction) => (
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
          <Suspense fallback={null}>
            <FurtherCards
              {...{ asset, part, activeIds, mode, isPast, onToggle }}
              cursor={next}
              before={all.length}
            />
          </Suspense>
        )}
      </Stack>
      {!goesOn && next !== null && (
        <More rest={total - all.length} onMore={() => setGoesOn(true)} />
      )}
    </>
  )
})
