import { stubWideWindow } from '#tests/support/web-fixtures.ts'
import { shows } from '#tests/support/waiting.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type QueueItem } from '#contracts/posts.ts'
import { extractionOf } from '#web/admin/extract/testing.ts'
import { ToastRoom } from '#web/ui/toasts.tsx'
import { QueuePage } from './queue-page.tsx'

const ITEM: QueueItem = {
  id: 3,
  tweet_url: 'https://x.com/i/status/1899000000000000001',
  status: 'completed',
  created_at: '2026-11-20T12:00:00.000Z',
  processed_at: '2026-11-20T12:00:05.000Z',
  expert_name: 'Ada Example',
  result_data: null,
  error_message: null,
  step: 'Read',
  attempts: 1,
  next_try_at: null,
  submitted: 0,
}
const COUNTS = { total: 1, pending: 0, processing: 0, completed: 1, failed: 0 }

let asked: string[]
/** What was read of the item, and submitted of it. */
let result: object
let submissions: { id: string; card: number }[]
/** The bodies of what was submitted, and the answer to it. */
let sent: unknown[]
let answer: () => Response
/** Ends the reading that was asked for once more. */
let reading: AbortSignal | null | undefined

beforeEach(() => {
  stubWideWindow()
  Element.prototype.scrollIntoView = () => undefined
  asked = []
  result = extractionOf()
  submissions = []
  sent = []
  answer = () =>
    Response.json({ success: true, submission: { id: 'sub-1' }, message: 'Submitted as sub-1.' })
  vi.stubGlobal(
    'EventSource',
    vi.fn(function source() {
      return Object.assign(new EventTarget(), { close: () => undefined })
    }),
  )
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>((address, init) => {
      const path = typeof address === 'string' ? address : ''
      asked.push(path)
      if (path === '/api/extract-tweet') {
        reading = init?.signal
        return new Promise<Response>(() => undefined)
      }
      if (path === '/api/tweet-queue/3') {
        const item = { ...ITEM, result_data: JSON.stringify(result) }
        return Promise.resolve(Response.json({ success: true, item, submissions }))
      }
      if (path.endsWith('/submissions')) {
        sent.push(JSON.parse(typeof init?.body === 'string' ? init.body : 'null'))
        return Promise.resolve(answer())
      }
      const list = { success: true, queue: [ITEM], counts: COUNTS, version: 1 }
      return Promise.resolve(Response.json(list))
    }),
  )
})
afterEach(() => {
  cleanup()
  history.replaceState(null, '', '/')
  Reflect.deleteProperty(Element.prototype, 'scrollIntoView')
  vi.unstubAllGlobals()
})

const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }))

function show(): void {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ToastRoom>
        <QueuePage />
      </ToastRoom>
    </QueryClientProvider>,
  )
}

async function look(): Promise<void> {
  show()
  await screen.findByRole('button', { name: 'View #3' })
  press('View #3')
  await screen.findByRole('heading', { name: 'AI Analysis' })
}

it('the queue asks for what was read only when it is opened, and keeps the place', async () => {
  await look()
  expect(new Set(asked)).toEqual(new Set(['/api/tweet-queue?results=none', '/api/tweet-queue/3']))
  await shows(() => expect(document.activeElement?.textContent).toBe('Back to the queue'))
  press('Back to the queue')
  await screen.findByRole('table')
  await shows(() => expect(document.activeElement?.closest('tr')?.textContent).toMatch(/^3/))
})

it('a reading that is no longer waited for is stopped', async () => {
  await look()
  press('Fetch again')
  expect(screen.getByText('Reading the post again...')).toBeDefined()
  expect(reading?.aborted).toBe(false)
  press('Back to the queue')
  await screen.findByRole('table')
  expect(reading?.aborted).toBe(true)
})

it('the queue asks before what was changed on a post is left', async () => {
  await look()
  const price = screen.getByLabelText('Price Prediction *')
  fireEvent.change(price, { target: { value: '$260,000' } })
  press('Back to the queue')
  expect(screen.getByRole('alert').textContent).toContain('Your changes are not submitted.')
  press('Keep editing')
  expect(screen.getByLabelText<HTMLInputElement>('Price Prediction *').value).toBe('$260,000')
  press('Back to the queue')
  press('Leave anyway')
  await screen.findByRole('table')
})

it('an opened item has an address: it opens from it, and Back closes it', async () => {
  await look()
  expect(location.search).toBe('?item=3')
  cleanup()
  show()
  await screen.findByRole('heading', { name: 'AI Analysis' })
  history.back()
  await vi.waitFor(() => expect(location.search).toBe(''))
  expect(await screen.findByRole('table')).toBeDefined()
})

it('Back asks before what was changed is left, and the address stays', async () => {
  await look()
  fireEvent.change(screen.getByLabelText('Price Prediction *'), { target: { value: '$260,000' } })
  history.back()
  await screen.findByText('Your changes are not submitted.')
  press('Keep editing')
  expect(location.search).toBe('?item=3')
  expect(screen.queryByText('Your changes are not submitted.')).toBeNull()
})

it('an item whose result cannot be read any more says so', async () => {
  result = { old: true }
  history.replaceState(null, '', '/?item=3')
  show()
  expect(await screen.findByText('This post cannot be shown')).toBeDefined()
})

const SECOND = {
  asset_type: 'mstr',
  prediction_type: 'target',
  price_prediction: '$5,000',
  price_target: 5_000,
  price_min: null,
  price_max: null,
  target_time: '2028-12-31',
  timing: 'by',
  direction: null,
} as const

it('each prediction of a post is submitted by itself, and the others stay', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  result = extractionOf({ others: [SECOND] })
  history.replaceState(null, '', '/?item=3')
  show()
  expect(await screen.findByText(/2 predictions in this post, 2 to decide/)).toBeDefined()
  const first = screen.getByRole('form', { name: 'Final Decision 1' })
  fireEvent.click(within(first).getByRole('button', { name: 'Submit Prediction' }))
  await within(first).findByText('Submitted as sub-1.')
  await act(() => vi.advanceTimersByTimeAsync(3_100))
  expect(screen.getByText(/2 predictions in this post, 1 to decide/)).toBeDefined()
  const second = screen.getByRole('form', { name: 'Final Decision 2' })
  expect(within(second).getByLabelText<HTMLInputElement>('Price Prediction *').value).toBe('$5,000')
  fireEvent.click(within(second).getByRole('button', { name: 'Submit Prediction' }))
  await act(() => vi.advanceTimersByTimeAsync(3_200))
  await screen.findByRole('table')
  expect(sent).toMatchObject([
    { price_target: 250_000 },
    { price_target: 5_000, extraction_card: 1 },
  ])
  vi.useRealTimers()
})

it('what was submitted before is said, and another one is asked for', async () => {
  submissions = [{ id: 'sub-0', card: 0 }]
  answer = () =>
    Response.json(
      {
        success: false,
        code: 'conflict',
        error: 'Already as sub-0.',
        message: 'Already as sub-0.',
      },
      { status: 409 },
    )
  history.replaceState(null, '', '/?item=3')
  show()
  expect(await screen.findByText('Submitted as sub-0.')).toBeDefined()
  press('Submit Prediction')
  expect((await screen.findByRole('alert')).textContent).toContain('Already as sub-0.')
  answer = () =>
    Response.json({
      success: true,
      submission: { id: 'sub-0' },
      message: 'Already submitted as sub-0, nothing changed.',
      unchanged: true,
    })
  press('Submit another one')
  await screen.findByText('Already submitted as sub-0, nothing changed.')
  expect(sent.map((one) => (one as { again?: boolean }).again)).toEqual([undefined, true])
  expect(screen.queryByRole('table', { name: 'Links in the queue' })).toBeNull()
})
