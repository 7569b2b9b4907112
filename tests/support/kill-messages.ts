import { followers, follows } from '#server/database/schema/following.ts'
import { pushKeys } from '#server/following/push.ts'
import { recordFact } from '#server/kit/facts.ts'
import { addPost } from '#server/publishing/posts.store.ts'
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { entry } from './builders.ts'
import type { KillOwner } from './site-kill-owner.ts'
import { mailSink } from './stand-ins/mail-sink.ts'
import { faultyRelay } from './stand-ins/faulty-relay.ts'
import { pds } from './stand-ins/pds.ts'
import { pushService } from './stand-ins/push-service.ts'
import { xServer } from './stand-ins/x-server.ts'
import { type TestApp } from './test-app.ts'

const POSTS_A_ROUND = 3
const FOLLOWERS_A_ROUND = 4
/** Between storing what came and saying so: kills in between leave the sender in doubt. */
const ANSWER_MS = 100
/** No call takes longer, so that what was asked earlier had an answer before its sender was killed. */
const CALL_MS = 120_000

const PURPOSES = ['mail', 'push message', 'post on X', 'post on Bluesky', 'note'] as const
type Purpose = (typeof PURPOSES)[number]

/**
 * Posts, news, notices and relay events that sites send while they are killed, and what has come of each where it was sent to.
 * A relay that gets an event again knows it by its id (NIP-01): only a second event about the same is a second delivery.
 */
export async function killMessages(
  { database: { pool, db }, imports, publishing }: TestApp,
  createdBy: number,
  secret: string,
) {
  const relay = await faultyRelay()
  const mails = await mailSink()
  const x = await xServer()
  const bluesky = await pds()
  const { publicKey } = await pushKeys(db)
  const pushes = await pushService(() => publicKey)
  for (const one of [relay, mails.behaviour, pushes.behaviour, x.pause, bluesky.pause])
    Object.assign(one, { answerMs: ANSWER_MS })
  Object.assign(x.limits, { limit: 1_000_000, remaining: 1_000_000 })
  const at = new Date().toISOString()
  // Everything published from here on is news.
  await recordFact(db, 'follow news through event', '0')
  let planned = 0

  const rowsOf = async (query: string): Promise<Record<string, string>[]> =>
    (await pool.query<Record<string, string>>(query)).rows

  async function follower(channel: 'email' | 'push'): Promise<void> {
    const [id, browser] = [randomUUID(), channel === 'push' ? await pushes.subscribe() : null]
    await db.insert(followers).values({
      id,
      channel,
      address: browser?.endpoint ?? `${id}@example.org`,
      addressHash: id,
      tokenHash: id,
      every: 'now',
      pushKey: browser?.keys.p256dh ?? null,
      pushAuth: browser?.keys.auth ?? null,
      nextAt: at,
      createdAt: at,
    })
    const about = { kind: 'asset', subject: 'btc' } as const
    await db
      .insert(follows)
      .values({ followerId: id, ...about, sinceEvent: 0, sinceDay: '2024-01-01' })
  }

  /** Deliveries that the stand-ins received, by their outbox reference; a relay's notes by their text. */
  async function received(): Promise<Record<Purpose, string[]>> {
    return {
      mail: (await mails.mails()).map(({ messageId = '' }) =>
        messageId.replace(/^<(?:news|notice)-(\d+).*$/, '$1'),
      ),
      'push message': pushes.notes.map(({ topic = '' }) => topic.replace('news-', '')),
      'post on X': x.posts.map(({ text }) => text),
      'post on Bluesky': [...bluesky.records.values()].map(({ text }) => text),
      note: [...new Map(relay.events.map((event) => [event.id, event])).values()]
        .filter(({ kind }) => kind === 1)
        .map(({ content }) => content),
    }
  }

  /** Deliveries that arrived more than once. */
  async function doubled(): Promise<string[]> {
    const twice: string[] = []
    for (const [purpose, got] of Object.entries(await received())) {
      const seen = new Set<string>()
      for (const one of got) {
        if (seen.has(one)) twice.push(`${purpose} ${one}`)
        seen.add(one)
      }
    }
    // One receipt for an invoice, and one event for each state of a prediction.
    const about = new Map<string, string>()
    for (const { id, kind, tags, content } of relay.events) {
      const named = tags.find(([name]) => name === (kind === 9_735 ? 'bolt11' : 'd'))?.[1]
      const key = named === undefined ? id : `event ${String(kind)} ${named} ${content}`
      if ((about.get(key) ?? id) !== id) twice.push(key)
      about.set(key, id)
    }
    return twice
  }

  return {
    relay,
    doubled,
    outside: {
      relay: relay.url,
      secret,
      smtp: mails.url,
      x: x.url.origin,
      pds: bluesky.url.origin,
    } satisfies KillOwner['outside'],

    /** @param withinMs in which posts become due */
    async plan(round: number, withinMs: number): Promise<void> {
      for (let n = 0; n < FOLLOWERS_A_ROUND; n += 1) await follower(n % 2 ? 'push' : 'email')
      await imports.predictions(JSON.stringify([entry(`p${String(round)}`)]))
      for (let n = 0; n < POSTS_A_ROUND; n += 1) {
        const text = `Post ${String(round)}.${String(n)}`
        const due = new Date(Date.now() + (n * withinMs) / POSTS_A_ROUND).toISOString()
        await db.transaction(async (tx) => {
          await addPost(tx, {
            id: randomUUID(),
            kind: 'manual',
            state: 'scheduled',
            networks: ['x', 'nostr', 'bluesky'],
            x_text: text,
            bluesky_text: text,
            nostr_text: text,
            pictures: [],
            scheduled_at: due,
            createdBy,
            created_at: at,
            updated_at: at,
          })
          await publishing.kit.planned(tx, due)
        })
        planned += 1
      }
    },

    /** Deliveries not yet finished. */
    open: async (): Promise<Record<string, string>[]> => [
      ...(await rowsOf(`select 'post' as what, state, text(count(*)) as n from social_posts
        where state <> 'done' group by 2`)),
      ...(await rowsOf(`select kind || ' ' || lane as what, state, text(count(*)) as n, text(max(tries)) as tries,
          text(min(due - now())) as due, min(last_error) as error
        from outbox where state in ('waiting', 'sending') or due is not null group by 1, 2`)),
      ...(await rowsOf(`select 'verdict without a signed event' as what, mode as state, text(count(*)) as n from verdicts v
        where not exists (select from record_events e where e.verdict_id = v.id) group by 2`)),
      ...(await rowsOf(`select 'signed event without a delivery' as what, text(kind) as state, text(count(*)) as n
        from (select distinct on (kind, d) kind, event_id from record_events order by kind, d, id desc) e
        where not exists (select from outbox o where o.ref = e.event_id) group by 2`)),
      ...(await rowsOf(`select 'follower without news' as what, channel as state, text(count(*)) as n from followers f
        where not exists (select from follow_news n join outbox o on o.id = n.message_id
          where n.follower_id = f.id and o.state in ('sent', 'unknown')) group by 2`)),
    ],

    /**
     * Compares what has ended with what arrived.
     * @param kills when senders were killed, Unix time in ms
     * @returns a line about it
     */
    async check(kills: readonly number[]): Promise<string> {
      expect(await doubled()).toEqual([])
      const ended = await rowsOf(
        `select case when o.kind = 'post' then o.lane when o.lane = 'push' then o.lane else 'mail' end as way, o.state,
           case when o.kind = 'post' then p.x_text else o.id::text end as name, o.asked_at as asked, o.last_error as error
         from outbox o left join social_posts p on o.kind = 'post' and p.id::text = o.ref
         where o.kind in ('notice', 'follow-news', 'post')`,
      )
      const got = await received()
      const ways = { mail: 'mail', push: 'push message', x: 'post on X', nostr: 'note' } as const
      const lines: string[] = []
      for (const [way, purpose] of Object.entries({
        ...ways,
        bluesky: 'post on Bluesky',
      } as const)) {
        const rows = ended.filter((row) => row['way'] === way)
        const named = (state: string): string[] =>
          rows.flatMap((row) => (row['state'] === state ? (row['name'] ?? []) : []))
        const arrived = got[purpose]
        const [sent, unknown] = [named('sent'), named('unknown')]
        expect(without(sent, arrived), `each ${purpose} that was sent has arrived`).toEqual([])
        expect(without(arrived, [...sent, ...unknown]), `no other ${purpose}`).toEqual([])
        const others = rows.filter(({ state }) => state !== 'sent' && state !== 'unknown')
        expect(others, `each ${purpose} is sent or unknown`).toEqual([])
        if (way !== 'mail' && way !== 'push') expect(rows).toHaveLength(planned)
        expect(sent.length).toBeGreaterThan(0)
        const came = unknown.length - without(unknown, arrived).length
        lines.push(
          `${purpose}: ${String(sent.length)} sent, ${String(unknown.length)} unknown of which ${String(came)} arrived`,
        )
      }
      // Each was asked for shortly before its sender was killed, who never heard the answer.
      const strange = ended.filter(({ state, asked = '' }) => {
        const askedMs = Date.parse(asked)
        const isKilled = kills.some((at) => askedMs <= at && at < askedMs + CALL_MS)
        return state === 'unknown' && !isKilled
      })
      expect(strange, 'each unknown is a call that may have arrived').toEqual([])
      const twice = await rowsOf(
        `select follower_id from follow_news group by follower_id, prediction_id, event having count(*) > 1`,
      )
      expect(twice).toEqual([])
      const signed = await rowsOf(
        `select distinct on (e.kind, e.d) e.event_id as id, e.d, o.state, text(o.tries) as tries, o.last_error as error,
           text(o.payload) as payload, text(o.created_at) as at
         from record_events e left join outbox o on o.ref = e.event_id order by e.kind, e.d, e.id desc`,
      )
      const relayed = new Set(relay.events.map(({ id }) => id))
      expect(signed.filter(({ id = '' }) => !relayed.has(id))).toEqual([])
      const again = relay.events.length - relayed.size
      lines.push(`${String(relayed.size)} relay events (${String(again)} again by the same id)`)
      return lines.join('\n')
    },

    [Symbol.asyncDispose]: async () => {
      for (const one of [relay, mails, x, bluesky, pushes]) await one[Symbol.asyncDispose]()
    },
  }
}

function without(all: readonly string[], others: readonly string[]): string[] {
  const left = new Set(others)
  return all.filter((one) => !left.has(one))
}
