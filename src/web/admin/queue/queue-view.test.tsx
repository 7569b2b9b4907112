import { screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { type QueueItem } from '#contracts/posts.ts'
import { queueItem as item } from '#tests/support/admin-rows.ts'
import { adminServer, refusal, show } from '#tests/support/admin-screens.tsx'
import { click, isAlerted, sees, type } from '#tests/support/on-screen.ts'
import { shows } from '#tests/support/waiting.ts'
import { QueueView, shortUrl } from './queue-view.tsx'

const LINK = item().tweet_url
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

const called = (name: string) => server.madeOf(name)[0]
const texts = (all: ArrayLike<Element>) => Array.from(all).map((one) => one.textContent)

it('shows columns, counts and the actions of each state', async () => {
  await open()
  const heads = texts(screen.getAllByRole('columnheader'))
  expect(heads).toEqual(['ID', 'Tweet URL', 'Expert', 'Status', 'Created', 'Actions'])
  const counts = texts(document.querySelectorAll('dl > div'))
  expect(counts).toEqual(['total4', 'pending1', 'processing1', 'completed1', 'failed1'])
  const actions = screen
    .getAllByRole('row')
    .map((row) => texts(row.querySelectorAll('button')).join(' '))
  expect(actions).toEqual([
    '',
    'Paste the text Retry Delete',
    'View Delete',
    'Delete',
    'Process Delete',
  ])
  click('View #3')
  expect(location.search).toBe('?item=3')
})

it('says how many links are not listed', async () => {
  server.on(LIST, () => ({ ...listed(), counts: { ...listed().counts, total: 1_200 } }))
  await open()
  expect(screen.getByText('The newest 4 of 1,200 are shown.')).toBeDefined()
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

it('moves the focus to the next item after a deletion, and Undo restores the item', async () => {
  server.on('DELETE /api/tweet-queue/3', () => {
    queue = ITEMS.filter(({ id }) => id !== 3)
    return { success: true }
  })
  server.on('POST /api/tweet-queue/3/restore', () => ({ success: true, item: ITEMS[1] }))
  await open()
  screen.getByRole('button', { name: 'Delete #3' }).focus()
  click('Delete #3')
  await shows(() => expect(screen.queryByRole('button', { name: 'Delete #3' })).toBeNull())
  // Not to another button, which a second key press would trigger.
  await shows(() => expect(document.activeElement?.tagName).toBe('TR'))
  expect(document.activeElement?.textContent).toMatch(/^2/)
  click('Undo')
  await shows(() => expect(called('POST /api/tweet-queue/3/restore')).toBeDefined())
})

it('shows why sources of an item are unreachable and when it is retried, and accepts its text', async () => {
  const next_try_at = '2026-11-20T12:05:00.000Z'
  server.on(PROCESS, () => ({ success: true, status: 'completed', extracted_data: null }))
  await open(item({ id: 6, error_message: 'X answered HTTP 503.', next_try_at, attempts: 1 }))
  const row = screen.getAllByRole('row')[1]
  expect(row?.textContent).toContain('X answered HTTP 503. It will be retried at')
  click('Paste the text of #6')
  click('Read this text')
  sees('Please paste the text of the post.')
  type('Text of the post', 'BTC 150k')
  click('Read this text')
  await shows(() => expect(called(PROCESS)?.body).toEqual({ id: 6, text: 'BTC 150k' }))
})

it('shows what an item needs next and filters by it', async () => {
  const read = { status: 'completed', step: 'Read' } as const
  await open(item({ id: 9, ...read, submitted: 2 }), item({ id: 8, ...read }), ...ITEMS)
  const states = () =>
    texts(
      screen
        .getAllByRole('row')
        .slice(1)
        .flatMap((row) => row.querySelectorAll('td')[2] ?? []),
    )
  expect(states()).toEqual([
    '✓ completedSubmitted (2)',
    '● completedNeeds a decision',
    '✕ failedThis post has been deleted.Paste the text',
    '– completedNo prediction found',
    '◔ processingReading the post',
    '◇ pendingWaiting',
  ])
  click('Needs a decision 1')
  expect(states()).toEqual(['● completedNeeds a decision'])
  queue = ITEMS
  click('Refresh')
  expect(await screen.findByText('No links in this state')).toBeDefined()
  click('Show all')
  expect(states()).toHaveLength(4)
})

function paste(text: string): void {
  type('Links of posts', text)
  click('Add to the queue')
}

it('adds many links at once and shows the result of each', async () => {
  const refused = 'https://evil-x.com/a/status/1'
  server.on('POST /api/tweet-queue', () => ({
    success: true,
    added: [item({ id: 5 })],
    duplicates: [LINK, `${LINK}?s=20`].map((url) => ({ url, id: 1 })),
    refused: [{ url: refused, reason: 'Not a post on X.' }],
  }))
  await open()
  paste(`${LINK}\n${LINK} ${refused}`)
  expect((await screen.findByText(/1 link added/)).textContent).toBe(
    '1 link added, 2 already in the queue (#1), 1 rejected.',
  )
  expect(called('POST /api/tweet-queue')?.body).toMatchObject({ process: true })
  sees('Not a post on X.')
  expect(screen.getByLabelText('Links of posts')).toHaveProperty('value', refused)
})

it('rejects a single invalid link immediately', async () => {
  await open()
  paste('https://example.org')
  isAlerted('Please enter a valid Twitter/X.com URL')
  expect(called('POST /api/tweet-queue')).toBeUndefined()
})

it('truncates addresses after fifty characters', () => {
  expect(shortUrl('x'.repeat(50))).toBe('x'.repeat(50))
  expect(shortUrl('x'.repeat(51))).toBe(`${'x'.repeat(50)}...`)
})
