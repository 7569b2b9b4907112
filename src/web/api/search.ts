import './without-eval.ts'
import { LONGEST_SEARCH, search, type SearchReply } from '#contracts/search.ts'
import { call } from './call.ts'

/** What of the whole record fits; of a longer text its beginning counts. */
export async function searchFor(q: string, signal: AbortSignal): Promise<SearchReply['groups']> {
  const { groups } = await call(search, { query: { q: q.slice(0, LONGEST_SEARCH) }, signal })
  return groups
}
