import './without-eval.ts'
import { LONGEST_SEARCH, MOST_FOUND, search, type SearchReply } from '#contracts/search.ts'
import { call } from './call.ts'

/** What of the whole record fits, the first ones of each kind or all; of a longer text its beginning counts. */
export async function searchFor(
  q: string,
  isWhole: boolean,
  signal: AbortSignal,
): Promise<SearchReply['groups']> {
  const query = { q: q.slice(0, LONGEST_SEARCH), ...(isWhole ? { most: MOST_FOUND } : {}) }
  const { groups } = await call(search, { query, signal })
  return groups
}
