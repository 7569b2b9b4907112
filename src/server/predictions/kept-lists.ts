import { hotList, weightOf, type HotList } from '#server/http/hot-list.ts'
import { keepRecent, type Kept } from '#server/kit/kept.ts'
import { type Snapshot } from './catalog.service.ts'

/**
 * Answers that are made ready once for each state of the record, and kept until there is another one.
 *
 * @returns gives the answer of a key; `make` makes its text from the record of now
 */
export function keptLists(snapshot: () => Snapshot, mostBytes: number) {
  let of: Snapshot | null = null
  let kept = emptyLists(mostBytes)

  return async (
    key: string,
    make: (now: Snapshot) => string | Promise<string>,
  ): Promise<HotList> => {
    const now = snapshot()
    if (now !== of) [of, kept] = [now, emptyLists(mostBytes)]
    // Of this state, also when another one comes while the list is made ready.
    const lists = kept
    const known = lists.get(key)
    if (known) return known
    const made = await hotList(await make(now))
    lists.set(key, made)
    return made
  }
}

function emptyLists(mostBytes: number): Kept<HotList> {
  return keepRecent<HotList>({ mostBytes, bytesOf: weightOf })
}
