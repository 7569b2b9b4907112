import { useEffect, useState } from 'react'
import { type PageData } from '#contracts/page.ts'
import { fetchPage } from './page-data.ts'

/**
 * The list of a view: embedded in the page, or fetched while the previous list stays.
 *
 * @param read extracts the list from page data; null for other pages
 */
export function useNarrowed<List>(
  loaded: List,
  address: string,
  addressOf: (list: List) => string,
  read: (data: PageData) => List | null,
) {
  const [fetched, setFetched] = useState<{ of: List; list: List } | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const current = fetched?.of === loaded ? fetched.list : loaded
  const isThere = addressOf(current) === address
  const isRequested = !isThere && failed !== address

  useEffect(() => {
    if (!isRequested) return
    const leave = new AbortController()
    fetchPage(address, leave.signal).then(
      ({ data }) => {
        const list = read(data)
        if (list) setFetched({ of: loaded, list })
      },
      () => {
        if (!leave.signal.aborted) setFailed(address)
      },
    )
    return () => leave.abort()
  }, [address, isRequested, loaded, read])

  return {
    visible: current,
    state: isThere ? 'there' : failed === address ? 'failed' : 'loading',
    retry: () => setFailed(null),
  } as const
}
