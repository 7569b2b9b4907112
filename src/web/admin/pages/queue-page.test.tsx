import { cleanup, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type QueueItem } from '#contracts/posts.ts'
import { extractionOf, queueItem as item } from '#tests/support/admin-rows.ts'
import {
  adminServer,
  pass,
  refusal,
  show,
  visitsText,
  type Visits,
} from '#tests/support/admin-screens.tsx'
import { click, sees, type } from '#tests/support/on-screen.ts'
import { shows } from '#tests/support/waiting.ts'
import { QueuePage } from './queue-page.tsx'

const DONE = item({ id: 3, status: 'completed', expert_name: 'Expert A', step: 'Read' })
const ITEMS = [
  item({ id: 6, error_message: 'X is away.', next_try_at: '2026-11-20T12:05:00.000Z' }),
  item({ id: 5, tweet_url: `https://x.com/i/status/${'1'.repeat(27)}` }),
  item({ id: 4, status: 'failed', error_message: 'This post has been deleted.' }),
  { ...DONE, step: 'Read: no prediction' },
  item({ id: 2, status: 'processing', step: 'Reading the post' }),
  item({ tweet_url: `https://x.com/i/status/${'1'.repeat(28)}` }),
]
const LIST = 'GET /api/tweet-queue'
const OPENED = `${LIST}/3`
const PROCESS = 'POST /api/process-tweet-queue-item'
const READ = 'POST /api/extract-tweet'

const server = adminServer('/')

/** @returns the event that reports it */
function lists(queue: readonly QueueItem[], total = queue.length): Event {
  const count = (status: string) => queue.filter((one) => one.status === status).length
  const [pending, processing] = [count('pending'), count('processing')]
  const [completed, failed] = [count('completed'), count('failed')]
  const counts = { total, pending, processing, completed, failed }
  server.on(LIST, () => ({ success: true, queue, counts, version: queue.length }))
  return new MessageEvent('queue', { data: JSON.stringify({ version: queue.length, counts }) })
}

const has =
  (...queue: readonly QueueItem[]) =>
  () =>
    void lists(queue)
const sleeps = () => server.on(LIST, () => refusal(500, 'internal', 'The server slept.'))
const opens = (result: object) => () => {
  history.replaceState(null, '', '/?item=3')
  const opened = { ...DONE, result_data: JSON.stringify(result) }
  server.on(OPENED, () => ({ success: true, item: opened, submissions: [] }))
}
const says = (event: Event) => () => server.says(event)
const error = 'This account is protected.'
const result = { success: false, status: 'failed', extracted_data: null, error }
const level = { price_prediction: '$5,000', price_target: 5_000, price_min: null, price_max: null }
const claim = { prediction_type: 'target', timing: 'by', direction: null } as const
const SECOND = { asset_type: 'mstr', target_time: '2028-12-31', ...claim, ...level } as const
const submission = { id: 'sub-1' }
const submitted = { success: true, submission, message: 'Submitted as sub-1.' }
const submits = () => {
  for (const path of ['/api/submissions', '/api/mstr/submissions'])
    server.on(`POST ${path}`, () => submitted)
}

const VISITS: Visits = {
  'a queue with more links than are listed': [[() => void lists(ITEMS, 1_200)]],
  'a queue that is slow': [[() => server.on(LIST, () => new Promise(() => undefined))]],
  'a queue that cannot be loaded': [[sleeps]],
  'a queue that is loaded at the second try': [[sleeps], has(DONE), 'Retry'],
  'a queue that changes': [
    [has(...ITEMS)],
    () => server.says(lists([DONE, ...ITEMS.slice(3)])),
    has(),
    'Refresh',
  ],
  'a server that cannot be reached for a while': [
    [has(DONE)],
    says(new Event('error')),
    () => server.on(LIST, () => Response.error()),
    'Refresh',
    // Nothing has changed, so no event reloads the list.
    has(DONE),
    says(new Event('open')),
  ],
  'posts that cannot be read': [
    [has(...ITEMS), () => server.on(PROCESS, () => result)],
    'Process #1',
    'Retry #4',
  ],
  'a result that can no longer be read': [[has(DONE), opens({ old: true })]],
  'two predictions of a post, each submitted separately': [
    [has(DONE), opens(extractionOf({ others: [SECOND] })), submits],
    'Final Decision 1/Submit Prediction',
    () => pass(3_100),
    'Final Decision 2/Submit Prediction',
    () => pass(6_100),
  ],
}

it('the queue has its stored texts', async () => {
  const file = '../../../../tests/texts/queue.txt'
  await expect(await visitsText(server, <QueuePage />, VISITS)).toMatchFileSnapshot(file)
})

describe('an opened item', () => {
  beforeEach(() => {
    vi.useRealTimers()
    lists([DONE])
    opens(extractionOf())()
    history.replaceState(null, '', '/')
  })

  async function look(): Promise<void> {
    show(<QueuePage />)
    await screen.findByRole('button', { name: 'View #3' })
    click('View #3')
    await screen.findByRole('heading', { name: 'AI Analysis' })
  }

  it('is loaded when it is opened; closing it stops a reading and restores the focus', async () => {
    server.on(READ, () => new Promise(() => undefined))
    await look()
    const request = server.madeOf('GET').map(({ name, query }) => name + query)
    expect(new Set(request)).toEqual(new Set([`${LIST}?results=none`, OPENED]))
    await shows(() => expect(document.activeElement?.textContent).toBe('Back to the queue'))
    click('Fetch again')
    sees('Reading the post again...')
    const [reading] = server.madeOf(READ)
    expect(reading?.signal?.aborted).toBe(false)
    click('Back to the queue')
    await screen.findByRole('table')
    expect(reading?.signal?.aborted).toBe(true)
    await shows(() => expect(document.activeElement?.closest('tr')?.textContent).toMatch(/^3/))
  })

  it('has an address and asks before unsaved edits are left', async () => {
    const unsent = () => screen.queryByText('Your changes are not submitted.')
    await look()
    expect(location.search).toBe('?item=3')
    cleanup()
    show(<QueuePage />)
    await screen.findByRole('heading', { name: 'AI Analysis' })
    type('Price Prediction *', '$260,000')
    history.back()
    await shows(() => expect(unsent()).not.toBeNull())
    click('Keep editing')
    expect([location.search, unsent()]).toEqual(['?item=3', null])
    expect(screen.getByDisplayValue('$260,000')).toBeDefined()
    click('Back to the queue')
    expect(unsent()).not.toBeNull()
    click('Leave anyway')
    await screen.findByRole('table')
  })
})
