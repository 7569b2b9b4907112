import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { type VerdictMessage } from '#contracts/live.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { type Fetched } from './fetched.ts'
import { fetchSoon } from './fetch-soon.ts'
import { followVerdicts } from './live.ts'

/** Verdicts of one bar come together: they are shown together. */
const GATHER_MS = 30
/** A list that was fetched this long after a verdict arrived contains it. */
const KNOWN_AFTER_MS = 30_000

export type LiveVerdict = VerdictMessage & { readonly heardAt: number }

/**
 * A list of predictions that is up to date: an outcome is shown as soon as it arrives, and the list is fetched again for
 * its evidence.
 *
 * @param isFollowed whether news are wanted now
 */
export function useLiveVerdicts(
  { data, fetchedAt }: Pick<Fetched<readonly Prediction[]>, 'data' | 'fetchedAt'>,
  refetch: () => void,
  isFollowed: boolean,
): readonly Prediction[] | undefined {
  const [heard, setHeard] = useState<readonly LiveVerdict[]>([])
  const onChange = useEffectEvent(refetch)

  useEffect(() => {
    if (!isFollowed) return undefined
    let gathered: LiveVerdict[] = []
    let gathering: ReturnType<typeof setTimeout> | undefined

    const show = (): void => {
      gathering = undefined
      const [fresh, since] = [gathered, Date.now() - KNOWN_AFTER_MS]
      gathered = []
      setHeard((before) => [...before.filter(({ heardAt }) => heardAt > since), ...fresh])
    }
    const { changed, stop } = fetchSoon(() => onChange())
    const leave = followVerdicts({
      judged(verdict) {
        gathered.push({ ...verdict, heardAt: Date.now() })
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
  }, [isFollowed])

  return useMemo(() => data && withVerdicts(data, heard, fetchedAt), [data, heard, fetchedAt])
}

/** The list with the verdicts since it was fetched; predictions without one stay the same objects. */
export function withVerdicts(
  predictions: readonly Prediction[],
  heard: readonly LiveVerdict[],
  fetchedAt: number,
): readonly Prediction[] {
  const fresh = Map.groupBy(
    heard.filter(({ heardAt }) => fetchedAt - heardAt < KNOWN_AFTER_MS),
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
