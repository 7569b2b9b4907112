import { type searchSubmissions } from '#contracts/review.ts'
import { searchWords } from '#domain/review.ts'
import { type Db } from '#server/kit/db.ts'
import { z } from 'zod'
import { invalid } from './refuse.ts'
import { type PublicRecord as SiteRecord } from '#server/record/record.service.ts'
import { flagsOf } from './review-flags.service.ts'
import { type ReviewCounts } from './review-counts.service.ts'
import {
  submissionLists,
  type Place,
  type ReviewPage,
  type ReviewSort,
} from './review-list.store.ts'

/** What a search finds is counted up to here. */
const MOST_COUNTED = 2_000
const ID_LENGTH = 36

type Asked = z.output<NonNullable<typeof searchSubmissions.query>>
type Page = z.input<typeof searchSubmissions.reply>
type Kit = {
  readonly db: Db
  readonly record: SiteRecord
  readonly lists: ReturnType<typeof submissionLists>
  readonly counts: Pick<ReviewCounts, 'read'>
}

/**
 * Reads pages of the lists. What several administrators ask for at the same time is read, checked and written once for
 * all of them, unless something has changed in between.
 *
 * @returns a reader of frozen pages @throws AppError when the place it is asked from cannot be read
 */
export function reviewLists(
  db: Db,
  counts: ReviewCounts,
  record: SiteRecord,
): (asked: Asked) => Promise<Page> {
  const kit = { db, record, lists: submissionLists(db), counts }
  const reading = new Map<string, Promise<Page>>()
  return (asked) => {
    const key = `${String(counts.changes())} ${JSON.stringify(asked)}`
    const running = reading.get(key) ?? readPage(kit, asked).finally(() => reading.delete(key))
    reading.set(key, running)
    return running
  }
}

async function readPage({ db, record, lists, counts }: Kit, asked: Asked): Promise<Page> {
  const { asset, status, sort, dir, size, after, before } = asked
  const filter = { asset, status, words: searchWords(asked.q), origin: asked.origin ?? null }
  const from = readFrom(asked)
  const isPlain = filter.words === null && filter.origin === null
  const [found, { unpaid, ...counted }, matching] = await Promise.all([
    // One more says whether the list goes on.
    lists.page(filter, { sort, dir, from, limit: size + 1 }),
    counts.read().then((all) => all[asset]),
    isPlain ? null : lists.count(filter, MOST_COUNTED),
  ])
  const isMore = found.length > size
  const isBackward = from?.way === 'before'
  const listed = isBackward ? found.slice(-size) : found.slice(0, size)
  const edge = isBackward ? found[0] : listed.at(-1)
  const onward = isMore && edge ? `${edge.row.id},${edge.key}` : null
  const rows = listed.map(({ row }) => row)
  return {
    rows,
    total: matching ?? (status === 'unpaid' ? unpaid : counted[status]),
    counts: counted,
    next: isBackward ? (before ?? null) : onward,
    previous: isBackward ? onward : (after ?? null),
    flags: asked.flags === 'yes' ? await flagsOf({ db, record }, rows) : {},
  }
}

/** PostgreSQL knows no year 0 and no NUL in a text. */
const isKept = (text: string): boolean => !text.startsWith('0000') && !text.includes('\0')

const KEYS: Readonly<Record<ReviewSort, z.ZodType<string>>> = {
  submitted: z.iso.datetime({ offset: true }),
  target: z.iso.date(),
  expert: z.string(),
  paid: z.string().regex(/^\d{1,10}$/),
}

function readFrom({ sort, after, before }: Asked): ReviewPage['from'] {
  const text = after ?? before
  if (text === undefined) return null
  const place: Place = { id: text.slice(0, ID_LENGTH), key: text.slice(ID_LENGTH + 1) }
  const isRead =
    z.uuid().safeParse(place.id).success &&
    KEYS[sort].safeParse(place.key).success &&
    isKept(place.key)
  const name = after === undefined ? 'before' : 'after'
  if (!isRead || (after !== undefined && before !== undefined)) {
    throw invalid({
      [name]:
        'Please send `next` as `after`, or `previous` as `before`, of a page in the same order.',
    })
  }
  return { ...place, way: name }
}
