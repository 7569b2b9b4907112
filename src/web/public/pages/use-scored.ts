import { useEffect, useEffectEvent, useState } from 'react'
import { fetchPage } from '#web/api/page-data.ts'
import { usePath } from '#web/address/location.ts'
import { contentOf, type PageContent } from '#web/head/site.ts'

/** Scores that are computed for the first time are there within seconds. */
const AGAIN_MS = 3_000

/**
 * The content of a page, fetched again every few seconds until the scores are there that it shows.
 *
 * @param isOwn whether content that was fetched is still that of this kind of page
 * @param isScored whether content has its scores
 */
export function useScored<Content extends PageContent>(
  given: Content,
  isOwn: (content: PageContent) => content is Content,
  isScored: (content: Content) => boolean,
): Content {
  const path = usePath()
  const [fresh, setFresh] = useState({ of: given, content: given })
  const content = fresh.of === given ? fresh.content : given
  useAgain(path, !isScored(content), (next) => {
    if (isOwn(next)) setFresh({ of: given, content: next })
  })
  return content
}

/** Fetches a page again every few seconds while its scores are awaited. */
export function useAgain(
  path: string,
  isAwaited: boolean,
  onContent: (content: PageContent) => void,
): void {
  const take = useEffectEvent(onContent)
  useEffect(() => {
    if (!isAwaited) return
    const leave = new AbortController()
    let next: ReturnType<typeof setTimeout>
    // Each question waits for the answer to the one before: a slow server is not asked ever more often.
    const askLater = () => {
      next = setTimeout(() => void ask(), AGAIN_MS)
    }
    const ask = async () => {
      await fetchPage(path, leave.signal).then(
        ({ data }) => take(contentOf(data)),
        () => undefined,
      )
      if (!leave.signal.aborted) askLater()
    }
    askLater()
    return () => {
      clearTimeout(next)
      leave.abort()
    }
  }, [path, isAwaited])
}
