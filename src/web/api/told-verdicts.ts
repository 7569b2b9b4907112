import { type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { type VerdictMessage } from '#contracts/live.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { fetchSoon } from './fetch-soon.ts'
import { followVerdicts } from './live.ts'

/** Verdicts of one bar come together: they are shown together. */
const GATHER_MS = 30
/** A list that was fetched so long after a verdict was told knows of it. */
const KNOWN_AFTER_MS = 30_000

export type ToldVerdict = VerdictMessage & { readonly toldAt: number }

/**
 * A list of predictions as it stands by now: an outcome shows as soon as it is told, and the list is fetched again for
 * its evidence.
 */
export function useToldVerdicts({
  data,
  dataUpdatedAt,
  refetch,
}: UseQueryResult<readonly Prediction[]>): readonly Prediction[] | undefined {
  const [told, setTold] = useState<readonly ToldVerdict[]>([])

  useEffect(() => {
    let gathered: ToldVerdict[] = []
    let gathering: ReturnType<typeof setTimeout> | undefined

    const show = (): void => {
      gathering = undefined
      const [fresh, since] = [gathered, Date.now() - KNOWN_AFTER_MS]
      gathered = []
      setTold((before) => [...before.filter(({ toldAt }) => toldAt > since), ...fresh])
    }
    const { changed, stop } = fetchSoon(() => void refetch())
    const leave = followVerdicts({
      told(verdict) {
        gathered.push({ ...verdict, toldAt: Date.now() })
        gathering ??= setTimeout(show, GATHER_MS)
        changed()
      },
      changed,
      missed: changed,
    })
    return () => {
      leave()
      clearTimeout(gathering)
      stop()
    }
  }, [refetch])

  return useMemo(() => data && withTold(data, told, dataUpdatedAt), [data, told, dataUpdatedAt])
}

/** The list with what was told since it was fetched; predictions that stay as they are stay the same objects. */
export function withTold(
  predictions: readonly Prediction[],
  told: readonly ToldVerdict[],
  fetchedAt: number,
): readonly Prediction[] {
  const fresh = Map.groupBy(
    told.filter(({ toldAt }) => fetchedAt - toldAt < KNOWN_AFTER_MS),
    ({ id }) => id,
  )
  if (fresh.size === 0) return predictions
  return predictions.map((prediction) =>
    (fresh.get(prediction.id) ?? []).reduce(turned, prediction),
  )
}

function turned(prediction: Prediction, { mode, outcome }: VerdictMessage): Prediction {
  const verdict = prediction.verdicts[mode]
  if (verdict.outcome === outcome) return prediction
  return {
    ...prediction,
    verdicts: { ...prediction.verdicts, [mode]: { ...verdict, outcome } },
  }
}
