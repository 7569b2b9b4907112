import { useMemo } from 'react'
import { type PageData } from '#contracts/page.ts'
import { pause, useAnswer } from '#web/ui/hooks.ts'
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
  const own = address === loadedAt && loaded !== null ? { at: address, list: loaded } : null
  const key = useMemo(() => ({ loaded, address }), [loaded, address])
  const { data, error, refetch } = useAnswer(key, async (signal) => {
    if (own) return own
    for (;;) {
      const list = read((await fetchPage(address, signal)).data)
      if (list === undefined) throw new Error(`another page at ${address}`)
      if (list !== null) return { at: address, list }
      await pause(AGAIN_MS, signal)
    }
  })
  const { at, list } = own ?? data ?? { at: loadedAt, list: loaded }
  const isThere = at === address && list !== null
  return {
    visible: list,
    state: isThere ? 'there' : error ? 'failed' : 'loading',
    retry: () => void refetch(),
  } as const
}
