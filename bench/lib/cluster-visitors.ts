// Who visits the cluster during the drill: readers of pages, open pages with their live lines, and people who submit and pay.
import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { waitFor } from './limit.ts'
import { type Ledger } from '#tests/support/stand-ins/ledger.ts'

const PATHS = ['/', '/btc', '/mstr', '/experts', '/api/predictions', '/predictions/mcafee-1m-2020']
const READ_EVERY_MS = 25
const SUBMIT_EVERY_MS = 700
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** Reads pages all the time, each with the patience of a browser. */
export function pageReaders(front: string) {
  let read = 0
  let failed = 0
  let turn = 0
  const one = async (): Promise<void> => {
    turn += 1
    const path = PATHS[turn % PATHS.length] ?? '/'
    const answer = await fetch(front + path, { signal: AbortSignal.timeout(10_000) }).catch(
      () => null,
    )
    await answer?.arrayBuffer().catch(() => null)
    read += 1
    if (answer?.status !== 200) failed += 1
  }
  const timer = setInterval(() => void one(), READ_EVERY_MS)
  return {
    /** @returns what was read since */
    phase() {
      const before = { read, failed }
      return () => ({ read: read - before.read, failed: failed - before.failed })
    },
    stop: () => clearInterval(timer),
  }
}

/** Lines that come back as those of pages do: five seconds after their end, and up to two and a half more by chance. */
export async function browserLines(front: string, count: number) {
  const { hostname, port } = new URL(front)
  const open = new Set<Socket>()
  let isOver = false
  let lost = 0
  let back: { readonly at: number; readonly lostAt: number }[] = []
  /** Lines that end before this count from then: nobody could have taken them back. */
  let forgivenAt = 0

  function join(lostAt: number | null): void {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `GET /api/v1/live?asset=btc HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n`,
      )
    })
    let isOpen = false
    socket.once('data', (data) => {
      if (!data.includes(' 200 ')) {
        socket.destroy()
        return
      }
      isOpen = true
      open.add(socket)
      const at = performance.now()
      if (lostAt !== null) back.push({ at, lostAt })
      // A cache ends the answer and keeps the connection: for a browser the line is lost.
      socket.on('data', (more) => {
        if (more.subarray(-5).equals(LAST_CHUNK)) socket.destroy()
      })
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      open.delete(socket)
      if (isOver) return
      const at = isOpen ? performance.now() : lostAt
      if (isOpen) lost += 1
      setTimeout(join, 5_000 + Math.random() * 2_500, at)
    })
  }

  for (let i = 0; i < count; i += 1) join(null)
  await waitFor('the lines to open', () => open.size === count)
  return {
    count: () => open.size,
    /** The site is back: lines that were away count as lost from this moment on. */
    forgive: () => {
      forgivenAt = performance.now()
    },
    /** @returns how many were lost since, when the last one was back, and the most that came in one half second */
    phase() {
      const before = lost
      back = []
      return () => {
        const halves = Map.groupBy(back, ({ at }) => Math.floor(at / 500))
        const waits = back.map(({ at, lostAt }) => at - Math.max(lostAt, forgivenAt))
        return {
          lost: lost - before,
          backMs: Math.max(0, ...waits),
          most: Math.max(0, ...[...halves.values()].map((all) => all.length)),
        }
      }
    },
    stop() {
      isOver = true
      for (const socket of open) socket.destroy()
    },
  }
}

/**
 * Submits a prediction again and again, each time from another address, and pays. One that gets no answer asks again under its
 * key, as the page does.
 */
export function submitters(front: string, ledger: Ledger) {
  const paid = new Set<string>()
  let again = 0
  let isOver = false
  let made = 0
  const work: Promise<void>[] = []

  async function submit(): Promise<void> {
    made += 1
    // Others begin while this one asks again, with the very same words.
    const n = made
    const address = `198.${String(18 + (n % 2))}.${String((n >> 8) % 256)}.${String(n % 256)}`
    const key = randomUUID()
    const year = new Date().getUTCFullYear() + 2
    for (;;) {
      const answer = await fetch(`${front}/api/payments/create-invoice`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': key,
          'x-forwarded-for': address,
        },
        body: JSON.stringify({
          amount: 1_000,
          submissionData: {
            expert_name: `Expert ${String(n)}`,
            twitter_handle: '',
            nostr_npub: '',
            prediction_type: 'target',
            target_time: `${String(year)}-12-31`,
            submitter_email: '',
            notes: '',
            source_url: `https://example.org/said/${String(n)}`,
            asset_type: 'btc',
            price_prediction: '$250,000',
            price_min: null,
            price_max: null,
          },
        }),
        signal: AbortSignal.timeout(15_000),
      }).catch(() => null)
      const reply = (await answer?.json().catch(() => null)) as {
        invoice?: { payment_hash: string; payment_request: string }
      } | null
      if (answer?.status === 200 && reply?.invoice) {
        ledger.pay(reply.invoice.payment_request)
        paid.add(reply.invoice.payment_hash)
        return
      }
      if (answer && answer.status < 500 && answer.status !== 429) {
        throw new Error(
          `a submission was refused: ${String(answer.status)} ${JSON.stringify(reply)}`,
        )
      }
      again += 1
      // A person sees the error and presses again.
      await pause(2_000 + Math.random() * 4_000)
    }
  }

  const loop = (async () => {
    while (!isOver) {
      work.push(submit())
      await pause(SUBMIT_EVERY_MS)
    }
  })()
  return {
    async stop() {
      isOver = true
      await loop
      await Promise.all(work)
      return { paid, again }
    },
  }
}
