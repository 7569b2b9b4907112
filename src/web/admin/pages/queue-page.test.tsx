import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { extractionOf, queueItem } from '#tests/support/admin-rows.ts'
import { adminServer, show } from '#tests/support/admin-screens.tsx'
import { click, sees } from '#tests/support/on-screen.ts'
import { shows } from '#tests/support/waiting.ts'
import { QueuePage } from './queue-page.tsx'

const ITEM = queueItem({ id: 3, status: 'completed', expert_name: 'Expert A', step: 'Read' })
const COUNTS = { total: 1, pending: 0, processing: 0, completed: 1, failed: 0 }
const OPENED = 'GET /api/tweet-queue/3'
const READ = 'POST /api/extract-tweet'
const submitted = (message: string, more: object = {}) => ({
  success: true,
  submission: { id: 'sub-1' },
  message,
  ...more,
})

const server = adminServer('/')

function answer(result: object, submissions: readonly object[] = []): void {
  const item = { ...ITEM, result_data: JSON.stringify(result) }
  server.on(OPENED, () => ({ success: true, item, submissions }))
}

beforeEach(() => {
  vi.useRealTimers()
  server.on('GET /api/tweet-queue', () => ({
    success: true,
    queue: [ITEM],
    counts: COUNTS,
    version: 1,
  }))
  answer(extractionOf())
})

const price = () => screen.getByLabelText<HTMLInputElement>('Price Prediction *')
const change = (value: string) => fireEvent.change(price(), { target: { value } })
const unsent = () => screen.queryByText('Your changes are not submitted.')

async function look(): Promise<void> {
  show(<QueuePage />)
  await screen.findByRole('button', { name: 'View #3' })
  click('View #3')
  await screen.findByRole('heading', { name: 'AI Analysis' })
}
function openAt(address: string): void {
  history.replaceState(null, '', address)
  show(<QueuePage />)
}

it('loads a result when it is opened; closing it stops a reading and restores the focus', async () => {
  server.on(READ, () => new Promise(() => undefined))
  await look()
  const request = server.madeOf('GET').map(({ name, query }) => name + query)
  expect(new Set(request)).toEqual(new Set(['GET /api/tweet-queue?results=none', OPENED]))
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

it('gives an opened item an address and asks before unsaved edits are left', async () => {
  await look()
  expect(location.search).toBe('?item=3')
  cleanup()
  show(<QueuePage />)
  await screen.findByRole('heading', { name: 'AI Analysis' })
  change('$260,000')
  history.back()
  await shows(() => expect(unsent()).not.toBeNull())
  click('Keep editing')
  expect([location.search, price().value, unsent()]).toEqual(['?item=3', '$260,000', null])
  click('Back to the queue')
  expect(unsent()).not.toBeNull()
  click('Leave anyway')
  await screen.findByRole('table')
})

it('says when the result of an item can no longer be read', async () => {
  answer({ old: true })
  openAt('/?item=3')
  expect(await screen.findByText('This post cannot be shown')).toBeDefined()
})

it('submits each prediction of a post separately', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  const level = {
    price_prediction: '$5,000',
    price_target: 5_000,
    price_min: null,
    price_max: null,
  }
  const claim = { prediction_type: 'target', timing: 'by', direction: null } as const
  const second = { asset_type: 'mstr', target_time: '2028-12-31', ...claim, ...level } as const
  answer(extractionOf({ others: [second] }))
  for (const path of ['POST /api/submissions', 'POST /api/mstr/submissions']) {
    server.on(path, () => submitted('Submitted as sub-1.'))
  }
  openAt('/?item=3')
  expect(await screen.findByText(/2 predictions in this post, 2 to decide/)).toBeDefined()
  const form = (n: number) => within(screen.getByRole('form', { name: `Final Decision ${n}` }))
  fireEvent.click(form(1).getByRole('button', { name: 'Submit Prediction' }))
  await form(1).findByText('Submitted as sub-1.')
  await act(() => vi.advanceTimersByTimeAsync(3_100))
  sees(/2 predictions in this post, 1 to decide/)
  fireEvent.click(form(2).getByRole('button', { name: 'Submit Prediction' }))
  await act(() => vi.advanceTimersByTimeAsync(6_100))
  await screen.findByRole('table', { name: 'Links in the queue' })
  expect(screen.getByLabelText('Done').textContent).toContain('Submitted as sub-1.')
  expect(server.madeOf('POST').map(({ body }) => body)).toMatchObject([
    { price_target: 250_000 },
    { price_target: 5_000, extraction_card: 1 },
  ])
})
