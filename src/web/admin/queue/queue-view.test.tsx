import { stubWideWindow } from '#tests/support/web-fixtures.ts'
import { shows } from '#tests/support/waiting.ts'
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type QueueItem } from '#contracts/posts.ts'
import { adminServer, refusal, show } from '#web/admin/review/testing.tsx'
import { QueueView, shortUrl } from './queue-view.tsx'

const LINK = 'https://x.com/i/status/1899000000000000001'

function item(changed: Partial<QueueItem> = {}): QueueItem {
  return {
    id: 1,
    tweet_url: LINK,
    status: 'pending',
    created_at: '2026-11-20T12:00:00.000Z',
    processed_at: null,
    expert_name: null,
    result_data: null,
    error_message: null,
    step: 'Waiting',
    attempts: 0,
    next_try_at: null,
    submitted: 0,
    ...changed,
  }
}

const ITEMS = [
  item({ id: 4, status: 'failed', error_message: 'This post has been deleted.' }),
  item({ id: 3, status: 'completed', expert_name: 'Ada Example', step: 'Read: no prediction' }),
  item({ id: 2, status: 'processing', step: 'Reading the post' }),
  item(),
]

const server = adminServer()
let queue: QueueItem[]
let stream: EventTarget
const onView = vi.fn<(id: number) => void>()
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
  stubWideWindow()
  queue = ITEMS
  server.on(LIST, listed)
  stream = new EventTarget()
  vi.stubGlobal(
    'EventSource',
    vi.fn(function source() {
      return Object.assign(stream, { close: () => undefined })
    }),
  )
})

async function open(): Promise<void> {
  show(<QueueView returnTo={null} onView={onView} />)
  await screen.findByText(/^Total|^total/)
}

const called = (name: string) => server.madeOf(name)[0]
const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }))

it('the list has its columns, its counts and the actions that fit each state', async () => {
  await open()
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
    'ID',
    'Tweet URL',
    'Expert',
    'Status',
    'Created',
    'Actions',
  ])
  const counts = [...document.querySelectorAll('dl > div')].map((one) => one.textContent)
  expect(counts).toEqual(['total4', 'pending1', 'processing1', 'completed1', 'failed1'])
  const actions = screen
    .getAllByRole('row')
    .map((row) => [...row.querySelectorAll('button')].map((button) => button.textContent).join(' '))
  expect(actions).toEqual([
    '',
    'Paste the text Retry Delete',
    'View Delete',
    'Delete',
    'Process Delete',
  ])
  expect(screen.getByText('This post has been deleted.')).toBeDefined()
  expect(screen.getByText('Reading the post')).toBeDefined()
})

it('the list says that it is empty', async () => {
  queue = []
  await open()
  expect(screen.getByText('The queue is empty')).toBeDefined()
})

it('the list says that it could not be loaded, and shows nothing made up', async () => {
  server.on(LIST, () => refusal(500, 'internal', 'The server slept.'))
  show(<QueueView returnTo={null} onView={onView} />)
  expect(screen.getByText('Loading the queue...')).toBeDefined()
  expect((await screen.findByRole('alert')).textContent).toContain('The server slept.')
  expect(screen.queryByRole('table')).toBeNull()
  server.on(LIST, listed)
  press('Try again')
  expect(await screen.findByRole('table')).toBeDefined()
})

it('the list changes without a press when the server reports a change, and by Refresh', async () => {
  await open()
  queue = [item({ id: 9, status: 'completed', expert_name: 'Bo' }), ...ITEMS]
  act(() => {
    const data = JSON.stringify({
      version: 5,
      counts: { total: 5, pending: 1, processing: 1, completed: 2, failed: 1 },
    })
    stream.dispatchEvent(new MessageEvent('queue', { data }))
  })
  expect(await screen.findByText('Bo')).toBeDefined()
  queue = []
  press('Refresh')
  expect(await screen.findByText('The queue is empty')).toBeDefined()
})

describe('while the server is away', () => {
  const STOPPED = /^Live updates have stopped/
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  const hears = (name: string) => act(() => void stream.dispatchEvent(new Event(name)))
  afterEach(() => {
    vi.useRealTimers()
  })

  it('while the server is away the list says so and stays, and goes on by itself', async () => {
    await open()
    vi.useFakeTimers()
    hears('open')
    server.on(LIST, () => Response.error())
    hears('error')
    await pass(60_000)
    expect(screen.getByText(STOPPED).getAttribute('role')).toBe('status')
    expect(screen.getByRole('table')).toBeDefined()
    expect(screen.queryByRole('alert')).toBeNull()
    // Nothing has changed meanwhile, so no event reloads the list.
    server.on(LIST, listed)
    hears('open')
    await pass(0)
    expect(screen.queryByText(STOPPED)).toBeNull()
  })

  it('while the server is away for a moment, nothing is said', async () => {
    await open()
    vi.useFakeTimers()
    hears('error')
    await pass(7_000)
    hears('open')
    await pass(2_000)
    expect(screen.queryByText(STOPPED)).toBeNull()
  })
})

it('an item is processed, and its failure is shown', async () => {
  server.on(PROCESS, () => ({
    success: false,
    status: 'failed',
    extracted_data: null,
    error: 'This account is protected.',
  }))
  await open()
  press('Process #1')
  expect(await screen.findAllByText('#1: This account is protected.')).not.toEqual([])
  expect(called(PROCESS)?.body).toEqual({ id: 1 })
  press('Retry #4')
  expect(await screen.findAllByText('#4: This account is protected.')).not.toEqual([])
})

it('an item is deleted, and restored by Undo', async () => {
  server.on('DELETE /api/tweet-queue/1', () => ({ success: true }))
  server.on('POST /api/tweet-queue/1/restore', () => ({ success: true, item: item() }))
  await open()
  press('Delete #1')
  await screen.findByText('#1 deleted.')
  press('Undo')
  await shows(() => expect(called('POST /api/tweet-queue/1/restore')).toBeDefined())
})

it('an item gives the focus to the next one when it goes away with the button that had it', async () => {
  server.on('DELETE /api/tweet-queue/3', () => {
    queue = ITEMS.filter(({ id }) => id !== 3)
    return { success: true }
  })
  await open()
  screen.getByRole('button', { name: 'Delete #3' }).focus()
  press('Delete #3')
  await shows(() => expect(screen.queryByRole('button', { name: 'Delete #3' })).toBeNull())
  // Never on another button, which a second press would set off.
  await shows(() => expect(document.activeElement?.tagName).toBe('TR'))
  expect(document.activeElement?.textContent).toMatch(/^2/)
})

it('an item is opened by its number', async () => {
  await open()
  press('View #3')
  expect(onView).toHaveBeenCalledWith(3)
})

it('an item whose sources are away says why and when it is tried again, and takes its text there', async () => {
  const next_try_at = '2026-11-20T12:05:00.000Z'
  queue = [item({ id: 6, error_message: 'X answered HTTP 503.', next_try_at, attempts: 1 })]
  server.on(PROCESS, () => ({ success: true, status: 'completed', extracted_data: null }))
  await open()
  const row = screen.getAllByRole('row')[1]
  expect(row?.textContent).toContain('X answered HTTP 503. It is tried again at')
  press('Paste the text of #6')
  press('Read this text')
  expect(screen.getByText('Please paste the text of the post.')).toBeDefined()
  fireEvent.change(screen.getByLabelText('Text of the post'), { target: { value: 'BTC 150k' } })
  press('Read this text')
  await shows(() =>
    expect(called(PROCESS)?.body).toEqual({
      id: 6,
      text: 'BTC 150k',
    }),
  )
})

it('an item says what it still needs, and the list is filtered by it', async () => {
  const read = { status: 'completed', step: 'Read' } as const
  queue = [item({ id: 9, ...read, submitted: 2 }), item({ id: 8, ...read }), ...ITEMS]
  await open()
  const states = (): (string | null | undefined)[] =>
    screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.querySelectorAll('td')[2]?.textContent)
  expect(states()).toEqual([
    '✓ completed: submitted (2)',
    '● completed: needs a decision',
    '✕ failedThis post has been deleted.Paste the text',
    '– completed: no prediction found',
    '◔ processingReading the post',
    '◇ pendingWaiting',
  ])
  press('Needs a decision 1')
  expect(states()).toEqual(['● completed: needs a decision'])
  queue = ITEMS
  press('Refresh')
  expect(await screen.findByText('No links in this state')).toBeDefined()
  press('Show all')
  expect(states()).toHaveLength(4)
})

describe('links', () => {
  function paste(text: string): void {
    fireEvent.change(screen.getByLabelText('Links of posts'), { target: { value: text } })
    press('Add to the queue')
  }

  it('links are added many at once, and what became of each is shown', async () => {
    server.on('POST /api/tweet-queue', () => ({
      success: true,
      added: [item({ id: 5 })],
      duplicates: [
        { url: LINK, id: 1 },
        { url: `${LINK}?s=20`, id: 1 },
      ],
      refused: [{ url: 'https://evil-x.com/a/status/1', reason: 'Not a post on X.' }],
    }))
    await open()
    paste(`${LINK}\n${LINK} https://evil-x.com/a/status/1`)
    expect((await screen.findByText(/1 link added/)).textContent).toBe(
      '1 link added, 2 already in the queue (#1), 1 rejected.',
    )
    expect(called('POST /api/tweet-queue')?.body).toMatchObject({ process: true })
    expect(screen.getByText(/Not a post on X\./)).toBeDefined()
    expect(screen.getByLabelText<HTMLTextAreaElement>('Links of posts').value).toBe(
      'https://evil-x.com/a/status/1',
    )
  })

  it.each([
    ['', 'Please enter a tweet URL'],
    ['https://example.org', 'Please enter a valid Twitter/X.com URL'],
  ])('the link %j alone is refused at once', async (text, message) => {
    await open()
    paste(text)
    expect(screen.getByRole('alert').textContent).toBe(message)
    expect(called('POST /api/tweet-queue')).toBeUndefined()
  })
})

it('addresses are cut behind fifty characters', () => {
  expect(shortUrl('x'.repeat(50))).toBe('x'.repeat(50))
  expect(shortUrl('x'.repeat(51))).toBe(`${'x'.repeat(50)}...`)
})
