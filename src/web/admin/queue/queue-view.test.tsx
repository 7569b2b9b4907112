import { screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { type QueueItem } from '#contracts/posts.ts'
import { queueItem as item } from '#tests/support/admin-rows.ts'
import { adminServer, refusal, show } from '#tests/support/admin-screens.tsx'
import { click, sees } from '#tests/support/on-screen.ts'
import { shows } from '#tests/support/waiting.ts'
import { QueueView, shortUrl } from './queue-view.tsx'

const ITEMS = [
  item({ id: 4, status: 'failed', error_message: 'This post has been deleted.' }),
  item({ id: 3, status: 'completed', expert_name: 'Expert A', step: 'Read: no prediction' }),
  item({ id: 2, status: 'processing', step: 'Reading the post' }),
  item(),
]

const server = adminServer()
let queue: readonly QueueItem[]
const LIST = 'GET /api/tweet-queue'
const PROCESS = 'POST /api/process-tweet-queue-item'

function listed() {
  const count = (status: string) => queue.filter((one) => one.status === status).length
  const [pending, processing] = [count('pending'), count('processing')]
  const [completed, failed] = [count('completed'), count('failed')]
  const counts = { total: queue.length, pending, processing, completed, failed }
  return { success: true, queue, counts, version: queue.length }
}

beforeEach(() => {
  vi.useRealTimers()
  queue = ITEMS
  server.on(LIST, listed)
})

async function open(...items: readonly QueueItem[]): Promise<void> {
  if (items.length > 0) queue = items
  show(<QueueView returnTo={null} />)
  await screen.findByText('total')
}

it('says how many links are not listed', async () => {
  server.on(LIST, () => ({ ...listed(), counts: { ...listed().counts, total: 1_200 } }))
  await open()
  expect(screen.getByText('The newest 4 of 1,200 are shown.')).toBeDefined()
})

it('says when an item is tried again', async () => {
  await open(item({ error_message: 'X is away.', next_try_at: '2026-11-20T12:05:00.000Z' }))
  expect(screen.getByText(/^X is away\. It will be retried at \d\d\//)).toBeDefined()
})

it('reports a failed load and shows no placeholder data', async () => {
  server.on(LIST, () => refusal(500, 'internal', 'The server slept.'))
  show(<QueueView returnTo={null} />)
  sees('Loading the queue...')
  expect((await screen.findByRole('alert')).textContent).toContain('The server slept.')
  expect(screen.queryByRole('table')).toBeNull()
  server.on(LIST, listed)
  click('Retry')
  expect(await screen.findByRole('table')).toBeDefined()
})

it('reloads on server events and by Refresh', async () => {
  await open()
  queue = [item({ id: 9, status: 'completed', expert_name: 'Expert B' }), ...ITEMS]
  const counts = { total: 5, pending: 1, processing: 1, completed: 2, failed: 1 }
  const data = JSON.stringify({ version: 5, counts })
  server.says(new MessageEvent('queue', { data }))
  expect(await screen.findByText('Expert B')).toBeDefined()
  queue = []
  click('Refresh')
  expect(await screen.findByText('The queue is empty')).toBeDefined()
})

it('reports an unreachable server, keeps the list, and recovers', async () => {
  const stopped = () => screen.queryByRole('alert')
  await open()
  server.says(new Event('error'))
  expect(stopped()).toBeNull()
  server.on(LIST, () => Response.error())
  click('Refresh')
  await shows(() => expect(stopped()?.textContent).toMatch(/^The queue could not be loaded/))
  expect(screen.getByRole('table')).toBeDefined()
  // Nothing changed, so no event reloads the list.
  server.on(LIST, listed)
  server.says(new Event('open'))
  await shows(() => expect(stopped()).toBeNull())
})

it('processes an item and shows its failure', async () => {
  const error = 'This account is protected.'
  server.on(PROCESS, () => ({ success: false, status: 'failed', extracted_data: null, error }))
  await open()
  for (const [action, id] of [
    ['Process', 1],
    ['Retry', 4],
  ] as const) {
    click(`${action} #${id}`)
    expect(await screen.findAllByText(`#${id}: ${error}`)).not.toEqual([])
  }
  expect(server.madeOf(PROCESS).map(({ body }) => body)).toEqual([{ id: 1 }, { id: 4 }])
})

it('truncates addresses after fifty characters', () => {
  expect(shortUrl('x'.repeat(50))).toBe('x'.repeat(50))
  expect(shortUrl('x'.repeat(51))).toBe(`${'x'.repeat(50)}...`)
})
