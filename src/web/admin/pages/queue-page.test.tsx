import { stubWideWindow } from '#tests/support/web-fixtures.ts'
import { shows } from '#tests/support/waiting.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
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
/** Ends the reading that was asked for once more. */
let reading: AbortSignal | null | undefined

beforeEach(() => {
  stubWideWindow()
  asked = []
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
        const item = { ...ITEM, result_data: JSON.stringify(extractionOf()) }
        return Promise.resolve(Response.json({ success: true, item, submissions: [] }))
      }
      const list = { success: true, queue: [ITEM], counts: COUNTS, version: 1 }
      return Promise.resolve(Response.json(list))
    }),
  )
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }))

async function look(): Promise<void> {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ToastRoom>
        <QueuePage />
      </ToastRoom>
    </QueryClientProvider>,
  )
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
