import { addDays } from '#domain/day.ts'
import { nextDue, REMIND_DAYS } from '#domain/publishing/following.ts'
import { NOTIFY_AFTER_MS } from '#domain/publishing/notice.ts'
import { eventsOf } from '#server/judging/verdicts.rows.ts'
import { readFact, recordFact } from '#server/kit/facts.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { takeTurn } from '#server/kit/turns.ts'
import { readState } from '#server/record/record-state.ts'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { dropExpired } from './followers.store.ts'
import { type FollowKit } from './follow-kit.ts'
import {
  addNews,
  countFollows,
  dropOldMessages,
  lastSettledEvent,
  makeMessage,
  newestEvent,
  subjectsOf,
  type News,
  type NewsFor,
} from './news.store.ts'
import { NEWS_KINDS, newsKindOf, type NewsEvent } from './news-text.ts'

/** Up to which event the record has been read for news. */
const READ_FACT = 'follow news through event'
/** Events that one transaction writes down: each has a row for every follower of it. */
const MOST_AT_ONCE = 200
/** Rows that one transaction writes, about: some seconds of work, which a stop of the process waits for. */
const MOST_ROWS = 20_000
const DAY_MS = 86_400_000
/** What has been sent is kept so long: longer than the week before a deadline. */
const KEPT_DAYS = 60

/**
 * Writes down what is new for whom, each thing once. It reads the history of the record, not calls of the code that changes it,
 * so that no change can be forgotten; and it makes one message of all that waits for a follower who is due.
 */
export function newsService(
  kit: FollowKit,
  settledMs = NOTIFY_AFTER_MS,
  mostRows: number = MOST_ROWS,
) {
  const { db, record } = kit
  let reminded = ''

  /** @returns false when there is no further event */
  async function readOn(through: number, atOnce: number): Promise<boolean> {
    return db.transaction(async (tx) => {
      await takeTurn(tx, 'proof-of-price follow news')
      const fact = await readFact(tx, READ_FACT)
      // What came before anyone could follow is no news.
      const after = fact === null ? through : Number(fact)
      const upTo = Math.min(through, after + atOnce)
      if (upTo > after) {
        const events = await eventsOf(tx, NEWS_KINDS, { after, through: upTo })
        await addNews(tx, await newsOfEvents(kit, events), isoNow(kit))
      }
      if (fact === null || upTo > after) await recordFact(tx, READ_FACT, String(upTo))
      return upTo < through
    })
  }

  /** Reminds of open predictions whose deadline is near; who began to follow in their last days is not reminded. */
  async function remind(atOnce: number, isStopped: () => boolean): Promise<void> {
    const today = record.today()
    const now = `${String((await readState(db)).version)} ${String(today)}`
    if (reminded === now) return
    const due = await record.select(
      z.object({ id: z.string(), day: z.string() }),
      sql`predictions.id, (target_date - ${REMIND_DAYS}::int)::text as day`,
      { outcomes: ['pending'], due: { first: today, last: addDays(today, REMIND_DAYS) } },
    )
    for (let i = 0; i < due.length; i += atOnce) {
      if (isStopped()) return
      const part = due.slice(i, i + atOnce)
      const days = new Map(part.map(({ id, day }) => [id, day]))
      const news = part.map(({ id }) => ({ event: 'deadline', predictionId: id, number: null }))
      const subjects = await subjectsOf(db, [...days.keys()])
      await addNews(
        db,
        news.flatMap((one) =>
          forAll({ ...one, day: days.get(one.predictionId) ?? null }, subjects, true),
        ),
        isoNow(kit),
      )
    }
    reminded = now
  }

  return {
    /** Writes down what is new by now. */
    async write(isStopped: () => boolean = () => false): Promise<void> {
      await dropExpired(db, isoNow(kit))
      await dropOldMessages(db, isoIn(kit, -KEPT_DAYS * DAY_MS))
      const rows = Math.max(1, await countFollows(db))
      const atOnce = Math.min(MOST_AT_ONCE, Math.max(1, Math.floor(mostRows / rows)))
      const fact = await readFact(db, READ_FACT)
      if (fact === null || (await newestEvent(db)) > Number(fact)) {
        const through = await lastSettledEvent(db, settledMs)
        while (!isStopped() && (await readOn(through, atOnce))) {
          // The next ones.
        }
      }
      await remind(atOnce, isStopped)
    },

    /** Makes a message for one follower. @returns false where no one is due */
    makeOne: (): Promise<boolean> =>
      makeMessage(db, isoNow(kit), ({ every }) =>
        new Date(nextDue(every, kit.clock.now())).toISOString(),
      ),
  }
}

async function newsOfEvents(
  { db }: Pick<FollowKit, 'db'>,
  events: readonly NewsEvent[],
): Promise<NewsFor[]> {
  const news = events.flatMap((event) => {
    const kind = newsKindOf(event)
    return kind === null ? [] : [{ ...event, news: kind }]
  })
  const subjects = await subjectsOf(
    db,
    news.map(({ predictionId }) => predictionId),
  )
  return news.flatMap(({ event: number, predictionId, news: kind }) =>
    forAll(
      { event: `event ${String(number)}`, predictionId, number, day: null },
      subjects,
      // Who follows a prediction knows that it is there.
      kind !== 'call',
    ),
  )
}

/** Something new with each thing by whose followers it is heard of. */
function forAll(
  news: News & Pick<NewsFor, 'number' | 'day'>,
  subjects: ReadonlyMap<string, { asset: string; people: readonly string[] }>,
  isForOwn: boolean,
): NewsFor[] {
  const of = subjects.get(news.predictionId)
  if (!of) return []
  return [
    { ...news, kind: 'asset' as const, subject: of.asset },
    ...of.people.map((subject) => ({ ...news, kind: 'person' as const, subject })),
    ...(isForOwn ? [{ ...news, kind: 'prediction' as const, subject: news.predictionId }] : []),
  ]
}
