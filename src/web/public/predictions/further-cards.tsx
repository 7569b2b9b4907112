import { useState } from 'react'
import { assetTexts, type Asset } from '#domain/asset.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { type Listed } from '#domain/listing/part.ts'
import { useFetched, useFetchStore, useLast } from '#web/api/fetched.ts'
import { callsQuery } from '#web/api/queries.ts'
import { Notice, Skeleton } from '#web/ui/loaded.tsx'
import { More } from './more.tsx'
import { PredictionCard } from './prediction-card.tsx'
import { type ShownPart } from '#web/api/part.ts'

export function FurtherCards({
  asset,
  part,
  cursor,
  before,
  activeIds,
  mode,
  isPast,
  onToggle,
}: {
  readonly asset: Asset
  readonly part: ShownPart
  readonly cursor: string
  /** How many cards come before these. */
  readonly before: number
  readonly activeIds: ReadonlySet<string>
  readonly mode: JudgeMode
  readonly isPast: boolean
  readonly onToggle: (prediction: Listed) => void
}) {
  const store = useFetchStore()
  const query = callsQuery(asset.key, part.question, cursor, part.version)
  const { data, error } = useFetched(query)
  // Those of the record before stay until the ones of now are there.
  const shown = useLast(data)
  const [goesOn, setGoesOn] = useState(false)
  if (!shown) {
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
  const { next } = shown
  const count = before + shown.ones.length
  return (
    <>
      {shown.ones.map((prediction) => (
        <PredictionCard
          key={prediction.id}
          prediction={prediction}
          mode={mode}
          isPast={isPast}
          active={activeIds.has(prediction.id)}
          onToggle={onToggle}
        />
      ))}
      {goesOn && next !== null && (
        <FurtherCards
          {...{ asset, part, activeIds, mode, isPast, onToggle }}
          cursor={next}
          before={count}
        />
      )}
      {!goesOn && next !== null && (
        <li>
          <More rest={shown.total - count} onMore={() => setGoesOn(true)} />
        </li>
      )}
    </>
  )
}
