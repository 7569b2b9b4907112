import { useEffect, useEffectEvent, useState } from 'react'
import { fetchSoon } from '#web/api/fetch-soon.ts'
import { followVerdicts } from '#web/api/live.ts'
import { type PredictionChange } from '#web/api/live-messages.ts'
import { fetchPage } from '#web/api/page-data.ts'
import { usePath } from '#web/address/location.ts'
import { contentOf, type ContentOf, type PageContent } from '#web/head/site.ts'
import { useAgain } from './use-scored.ts'

/**
 * The content of a page, kept up to date: fetched again when an open prediction gets a verdict, and when a prediction is
 * changed, withdrawn or added; and until a person's scores are computed. A page on which nothing is open any more stays as it is.
 *
 * @param isOwn whether content that was fetched is still that of this kind of page
 * @param changes made by the visitor, after each of which it is fetched again
 */
export function useFresh<Content extends ContentOf<'prediction'> | ContentOf<'expert'>>(
  given: Content,
  isOwn: (content: PageContent) => content is Content,
  changes = 0,
): Content {
  const path = usePath()
  const [fresh, setFresh] = useState({ of: given, content: given })
  const content = fresh.of === given ? fresh.content : given
  const open = openOnes(content)
  const isWaiting = open.length > 0
  const isOpen = useEffectEvent((id: string) => open.includes(id))
  const isAbout = useEffectEvent(({ id, expert }: PredictionChange) =>
    content.page === 'prediction' ? id === content.prediction.id : expert === content.expert.slug,
  )
  function take(next: PageContent): void {
    if (isOwn(next)) setFresh({ of: given, content: next })
  }
  const onChanged = useEffectEvent(take)

  const isScored =
    content.page !== 'expert' || content.report !== null || content.predictions.length === 0
  useAgain(path, !isScored, take)

  useEffect(() => {
    if (changes === 0) return
    const leave = new AbortController()
    fetchPage(path, leave.signal).then(
      ({ data }) => onChanged(contentOf(data)),
      () => undefined,
    )
    return () => leave.abort()
  }, [path, changes])

  useEffect(() => {
    if (!isWaiting) return
    const leave = new AbortController()
    const { changed, stop } = fetchSoon(() => {
      fetchPage(path, leave.signal).then(
        ({ data }) => onChanged(contentOf(data)),
        // What is shown stays; the next verdict asks again.
        () => undefined,
      )
    })
    const unlisten = followVerdicts({
      judged: ({ id }) => {
        if (isOpen(id)) changed()
      },
      changed: (change) => {
        if (isAbout(change)) changed()
      },
      missed: changed,
    })
    return () => {
      unlisten()
      stop()
      leave.abort()
    }
  }, [path, isWaiting])

  return content
}

function openOnes(content: ContentOf<'prediction'> | ContentOf<'expert'>): readonly string[] {
  const rows = content.page === 'prediction' ? [content.prediction] : content.predictions
  return rows
    .filter(({ verdicts }) => Object.values(verdicts).some(({ outcome }) => outcome === 'pending'))
    .map(({ id }) => id)
}
