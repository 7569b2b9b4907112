import { useEffect, useEffectEvent, useState } from 'react'
import { usePath } from '#web/address/location.ts'
import { fetchOnNews, type PredictionChange } from '#web/api/live.ts'
import { fetchPage } from '#web/api/page-data.ts'
import { contentOf, type PageContent } from '#web/head/site.ts'
import { during, pause } from '#web/ui/hooks.ts'

/** First-time scores are ready within seconds. */
const AGAIN_MS = 3_000

/** page content, loaded again while its scores are computed, on news about it, and after each of the visitor's `changes`. */
export function useFresh<Content extends PageContent>(initial: Content, changes = 0): Content {
  const path = usePath()
  const [fresh, setFresh] = useState({ of: initial, content: initial })
  const content = fresh.of === initial ? fresh.content : initial
  const open = openOnes(content)
  const isOpen = useEffectEvent((id: string) => open.includes(id))
  const isAbout = useEffectEvent((change: PredictionChange) => isOf(content, change))
  // On failure the shown content stays.
  const fetchAgain = useEffectEvent(async (signal: AbortSignal) => {
    const next = await fetchPage(path, signal).catch(() => null)
    if (next?.data.page === initial.page)
      setFresh({ of: initial, content: contentOf(next.data) as Content })
  })

  const isAwaited = !isScored(content)
  useEffect(() => {
    if (!isAwaited) return
    return during(async (signal) => {
      // Requests are sequential, so that a slow server does not get more of them.
      for (;;) {
        await pause(AGAIN_MS, signal)
        await fetchAgain(signal)
      }
    })
  }, [path, isAwaited])

  useEffect(() => {
    if (changes === 0) return
    return during((signal) => fetchAgain(signal))
  }, [path, changes])

  const isWaiting = open.length > 0
  useEffect(() => {
    if (!isWaiting) return
    const leave = new AbortController()
    const unlisten = fetchOnNews(
      { judged: ({ id }) => isOpen(id), changed: (change) => isAbout(change) },
      () => void fetchAgain(leave.signal),
    )
    return () => {
      unlisten()
      leave.abort()
    }
  }, [path, isWaiting])

  return content
}

function isScored(content: PageContent): boolean {
  if (content.page === 'expert') return content.report !== null || content.predictions.length === 0
  if (content.page === 'year') return content.card !== null
  return content.page !== 'years' || content.years !== null
}

function isOf(content: PageContent, { id, expert }: PredictionChange): boolean {
  if (content.page === 'prediction') return id === content.prediction.id
  return content.page === 'expert' && expert === content.expert.slug
}

function openOnes(content: PageContent): readonly string[] {
  const rows =
    content.page === 'prediction'
      ? [content.prediction]
      : content.page === 'expert'
        ? content.predictions
        : []
  return rows
    .filter(({ verdicts }) => Object.values(verdicts).some(({ outcome }) => outcome === 'pending'))
    .map(({ id }) => id)
}
