import { useEffect, useState } from 'react'
import { type PageData } from '#contracts/page.ts'
import { fetchPage } from './page-data.ts'

const AGAIN_MS = 2_000

/**
 * The list at an address: embedded in the page, or fetched while the previous list stays.
 *
 * @param loaded the embedded list, and its address; null while the server still computes it
 * @param read extracts the list from page data; undefined for other pages
 */
export function useNarrowed<List>(
  loaded: List,
  loadedAt: string,
  address: string,
  read: (data: PageData) => List | undefined,
) {
  const [fetched, setFetched] = useState<{ of: List; at: string; list: List } | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const [round, setRound] = useState(0)
  const current = fetched?.of === loaded ? fetched : { at: loadedAt, list: loaded }
  const isThere = current.at === address && current.list !== null
  const isRequested = !isThere && failed !== address

  useEffect(() => {
    if (!isRequested) return
    const leave = new AbortController()
    let again: ReturnType<typeof setTimeout> | undefined
    fetchPage(address, leave.signal).then(
      ({ data }) => {
        const list = read(data)
        if (list === null) again = setTimeout(() => setRound(round + 1), AGAIN_MS)
        else if (list !== undefined) setFetched({ of: loaded, at: address, list })
      },
      () => {
        if (!leave.signal.aborted) setFailed(address)
      },
    )
    return () => {
      leave.abort()
      clearTimeout(again)
    }
  }, [address, isRequested, loaded, read, round])

  return {
    visible: current.list,
    state: isThere ? 'there' : failed === address ? 'failed' : 'loading',
    retry: () => setFailed(null),
  } as const
}
