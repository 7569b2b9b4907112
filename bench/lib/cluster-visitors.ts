// Visitors during the drill: page readers, open pages with event streams, and people who submit and pay.

import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Ledger } from '#tests/support/stand-ins/ledger.ts'
import { waitFor } from './limit.ts'

const PATHS = ['/', '/btc', '/mstr', '/experts', '/api/predictions', '/predictions/mcafee-1m-2020']
const READ_EVERY_MS = 25
const SUBMIT_EVERY_MS = 700
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** Reads pages continuously, as patiently as a browser. */
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
    /** @returns requests since the last call */
    phase() {
      const before = { read, failed }
      return () => ({ read: read - before.read, failed: failed - before.failed })
    },
    stop: () => clearInterval(timer),
  }
}

/** Event streams that reconnect as those of pages do, after 5 to 7.5 seconds. */
export async function browserStreams(front: string, count: number) {
  const { hostname, port } = new URL(front)
  const open = new Set<Socket>()
  let isOver = false
  let lost = 0
  let back: { readonly at: number; readonly lostAt: number }[] = []
  /** Streams that ended before this time do not count: nothing could accept them. */
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
      // The cache ends the reply but keeps the connection open; a browser counts the stream as lost.
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
  await waitFor('the streams to open', () => open.size === count)
  return {
    count: () => open.size,
    /** The site is back: streams without a connection count as lost from now on. */
    forgive: () => {
      forgivenAt = performance.now()
    },
    /** @returns the number lost since the last call, when the last one was back, and the peak per half second */
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
 * Submits predictions continuously, each from another address, and pays. Without a reply it retries with the same
 * idempotency key, as the page does.
 */
export function submitters(front: string, ledger: Ledger) {
  const paid = new Set<string>()
  let again = 0
  let isOver = false
  let made = 0
  const work: Promise<void>[] = []

  async function submit(): Promise<void> {
    made += 1
    // Other submitters start while this one retries with the same text.
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
      // A person sees the error and tries again.
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
