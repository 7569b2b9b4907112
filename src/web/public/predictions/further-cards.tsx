import { useState } from 'react'
import { assetTexts } from '#domain/asset-texts.ts'
import { type Asset } from '#domain/asset.ts'
import { type JudgeMode } from '#domain/judging/verdict.ts'
import { MORE_CARDS } from '#domain/listing/part.ts'
import { type Listed } from '#domain/listing/listing.ts'
import { useFetched, useFetchStore, useLast } from '#web/api/fetched.ts'
import { callsQuery } from '#web/api/queries.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { More } from './more.tsx'
import { PredictionCard } from './prediction-card.tsx'
import { type ShownPart } from '#web/api/part.ts'

/** Cards after the first ones, asked for as the end of the list comes near. */
export function FurtherCards({
  asset,
  part,
  skip,
  activeIds,
  mode,
  isPast,
  onToggle,
}: {
  readonly asset: Asset
  readonly part: ShownPart
  /** How many come before these. */
  readonly skip: number
  readonly activeIds: ReadonlySet<string>
  readonly mode: JudgeMode
  readonly isPast: boolean
  readonly onToggle: (prediction: Listed) => void
}) {
  const store = useFetchStore()
  const query = callsQuery(asset.key, part.question, skip, part.version)
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
  const rest = shown.total - skip - shown.ones.length
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
      {goesOn && rest > 0 && (
        <FurtherCards
          {...{ asset, part, activeIds, mode, isPast, onToggle }}
          skip={skip + MORE_CARDS}
        />
      )}
      {!goesOn && rest > 0 && (
        <li>
          <More rest={rest} onMore={() => setGoesOn(true)} />
        </li>
      )}
    </>
  )
}
