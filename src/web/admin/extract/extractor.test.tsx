import { act, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type TweetExtraction } from '#contracts/posts.ts'
import { extractionOf } from '#tests/support/admin-rows.ts'
import { adminServer, refusal, show } from '#tests/support/admin-screens.tsx'
import { click, sees, seesNot, type, valueOf } from '#tests/support/on-screen.ts'
import { shows } from '#tests/support/waiting.ts'
import { Extractor } from './extractor.tsx'

const URL_TEXT = 'https://x.com/expert_a/status/1899000000000000001'
const ACCURACY = 'GET /api/v1/admin/extraction-accuracy'
const READ = 'POST /api/extract-tweet'
const SUBMIT = 'POST /api/submissions'

const server = adminServer()

beforeEach(() => {
  vi.useRealTimers()
  vi.setSystemTime('2026-11-20T12:00:00Z')
  const total = { decided: 0, kept: 0, share: 0 }
  server.on(ACCURACY, () => ({ decisions: 0, total, fields: [], methods: [], months: [] }))
})

const open = (): void => show(<Extractor />)
const input = (label: RegExp | string) => screen.getByLabelText<HTMLInputElement>(label)
const finds = (extraction: TweetExtraction): void =>
  server.on(READ, () => ({ success: true, data: extraction }))
const lastBody = (name: string) => server.madeOf(name).at(-1)?.body

function ask(url = URL_TEXT): void {
  open()
  type('Tweet URL', url)
  click('Extract')
}

async function read(extraction: TweetExtraction): Promise<void> {
  finds(extraction)
  ask()
  await screen.findByRole('heading', { name: 'Final Decision' })
}

describe('the reading', () => {
  it('shows progress and can be stopped', async () => {
    server.on(READ, () => new Promise(() => undefined))
    ask()
    sees('Reading the post...')
    click('Stop')
    expect(await screen.findByRole('button', { name: 'Extract' })).toBeDefined()
    expect(valueOf('Tweet URL')).toBe(URL_TEXT)
  })

  it('shows each field and both readings', async () => {
    await read(extractionOf())
    const fields = screen.getByRole('list', { name: 'Fields and their words' })
    expect(fields.textContent).toContain('Target date31/12/2027')
    const row = screen.getByRole('row', { name: /^Target date/ })
    expect(row.textContent).toBe('Target date30/12/202731/12/2027')
    sees(/Read by grok-4.3 in 2.3 s, about \$0.0091/)
    expect(screen.getAllByText('not known')).toHaveLength(1)
  })

  const { readings } = extractionOf()
  const error = 'xAI did not answer within 45 s.'
  it.each([
    [{ assistant_error: error, readings: { ...readings, assistant: null } }, / gave no result/],
    [{}, /grok-4.3 was asked as well, about \$0.0091/],
  ])(
    'does not name the model as reader when the rules read the post: %#',
    async (changed, spent) => {
      await read(extractionOf({ ...changed, grok_used: false, extraction_method: 'text_parsing' }))
      const isLost = 'assistant_error' in changed
      expect(screen.queryByText(/The model did not help: xAI did not answer/) !== null).toBe(isLost)
      sees('Text parsing', spent)
    },
  )

  it.each([
    [() => refusal(404, 'not_found', 'It has been deleted.'), /^\W*It has been deleted/, false],
    [() => refusal(409, 'conflict', 'It is protected.'), /^\W*It is protected/, false],
    [() => refusal(503, 'unavailable', 'X did not answer.'), /^\W*X did not answer/, true],
    [() => new Response('<html>', { status: 502 }), /^\. This feature may require API keys/, false],
  ])('shows why a reading failed: %#', async (answer, text, canPaste) => {
    server.on(READ, answer)
    ask()
    const message = (await screen.findByRole('alert')).textContent
    expect(message).toMatch(/^Failed to extract tweet data/)
    expect(message.replace('Failed to extract tweet data', '')).toMatch(text)
    expect(screen.queryByLabelText('Text of the post') !== null).toBe(canPaste)
    expect(screen.queryByRole('button', { name: 'Try again' }) !== null).toBe(
      !/deleted|protected/.test(message),
    )
  })
})

describe('reading a post again', () => {
  async function again(): Promise<void> {
    click('Fetch again')
    sees('Reading the post again...')
    await shows(() => expect(screen.queryByText('Reading the post again...')).toBeNull())
  }

  it('keeps edits, updates the other fields and shows the difference', async () => {
    await read(extractionOf())
    type('Price Prediction *', '$260,000')
    type('Notes', 'Mine')
    const level = { price_prediction: '$270,000', price_target: null, price_max: 270_000 }
    const now = { extraction_id: 8, expert_name: 'Expert B', prediction_type: 'top' } as const
    finds(extractionOf({ ...now, ...level }))
    await again()
    expect(lastBody(READ)).toMatchObject({ refetch: true })
    expect(valueOf('Price Prediction *')).toBe('$260,000')
    expect(valueOf('Prediction Type *')).toBe('target')
    expect(valueOf('Notes')).toBe('Mine')
    expect(valueOf('Expert Name *')).toBe('Expert B')
    sees('Drafted: $270,000', /Your changes are kept/)
    server.on(SUBMIT, () => refusal(500, 'internal', ''))
    click('Submit Prediction')
    await screen.findByText('Failed to submit prediction')
    expect(lastBody(SUBMIT)).toMatchObject({ extraction_id: 8, price_target: 260_000 })
    click('Back to the draft')
    expect(valueOf('Price Prediction *')).toBe('$270,000')
    expect(valueOf('Prediction Type *')).toBe('top')
  })

  it('keeps edits when it fails, is stopped, or is requested again by link', async () => {
    await read(extractionOf())
    type('Price Prediction *', '$260,000')
    server.on(READ, () => refusal(503, 'unavailable', 'X did not answer.'))
    await again()
    sees(/X did not answer/)
    expect(valueOf('Price Prediction *')).toBe('$260,000')
    server.on(READ, () => new Promise(() => undefined))
    click('Try again')
    click('Stop')
    expect(valueOf('Price Prediction *')).toBe('$260,000')
    click('Paste the text')
    finds(extractionOf({ extraction_id: 9 }))
    click('Extract')
    await screen.findByText(/Your changes are kept/)
    expect(valueOf('Price Prediction *')).toBe('$260,000')
  })

  it('asks before discarding edits when another post is read', async () => {
    await read(extractionOf())
    type('Price Prediction *', '$260,000')
    const other = '1899000000000000002'
    finds(extractionOf({ extraction_id: 9, tweet_id: other }))
    type('Tweet URL', `https://x.com/i/status/${other}`)
    click('Extract')
    expect(screen.getByRole('alert').textContent).toContain('Your changes are not submitted.')
    click('Keep editing')
    expect(screen.queryByRole('alert')).toBeNull()
    expect([server.madeOf(READ).length, valueOf('Price Prediction *')]).toEqual([1, '$260,000'])
    click('Extract')
    click('Read the other post')
    await shows(() => expect(valueOf('Price Prediction *')).toBe('$250,000'))
    type('Tweet URL', URL_TEXT)
    click('Extract')
    seesNot('Your changes are not submitted.')
  })
})

describe('the decision', () => {
  it('is submitted with its draft, shows its ID and clears after three seconds', async () => {
    const message = 'Prediction submitted successfully! Submission ID: sub-1'
    server.on(SUBMIT, () => ({ success: true, submission: { id: 'sub-1' }, message }))
    await read(extractionOf())
    type('Price Prediction *', '$260,000')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    click('Submit Prediction')
    await act(() => vi.advanceTimersByTimeAsync(10))
    const form = screen.getByRole('form', { name: 'Final Decision' })
    expect(within(form).getByRole('status').textContent).toContain('Submission ID: sub-1')
    expect(lastBody(SUBMIT)).toMatchObject({
      price_target: 260_000,
      extraction_id: 7,
      source_url: 'https://x.com/i/status/1899000000000000001',
    })
    await act(() => vi.advanceTimersByTimeAsync(2_900))
    expect(screen.queryByRole('heading', { name: 'Final Decision' })).not.toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(200))
    expect(screen.queryByRole('heading', { name: 'Final Decision' })).toBeNull()
    expect([valueOf('Tweet URL'), document.activeElement]).toEqual(['', input('Tweet URL')])
    sees(/Submission ID: sub-1/)
  })

  it('says that a person is new although the name is on record', async () => {
    server.on(SUBMIT, () => refusal(500, 'internal', ''))
    await read(extractionOf({ existing_influencer_id: 3, existing_influencer_name: 'Expert B' }))
    click('Submit Prediction')
    expect(await screen.findByText('Failed to submit prediction')).toBeDefined()
    expect(lastBody(SUBMIT)).not.toHaveProperty('new_influencer')
    fireEvent.click(screen.getByLabelText(/Create a new influencer named Expert B/))
    click('Submit Prediction')
    await shows(() => expect(lastBody(SUBMIT)).toMatchObject({ new_influencer: true }))
  })

  it('is sent to the dashboard of its asset, and reports an unreachable server', async () => {
    await read(extractionOf({ asset_type: 'mstr' }))
    click('Submit Prediction')
    expect(
      await screen.findByText('Failed to submit prediction. The server cannot be reached.'),
    ).toBeDefined()
    expect(server.madeOf('POST /api/mstr/submissions')).toHaveLength(1)
  })

  it('shows server errors at their field and keeps all input', async () => {
    const message = 'Please enter a price below one trillion dollars.'
    server.on(SUBMIT, () => refusal(400, 'invalid', message, { price_target: message }))
    await read(extractionOf())
    click('Submit Prediction')
    expect(await screen.findAllByText(message)).toHaveLength(2)
    const price = input('Price Prediction *')
    expect(price.getAttribute('aria-invalid')).toBe('true')
    // Fields are disabled while sending; the faulty one gets the focus once they are enabled again.
    await shows(() => expect(document.activeElement).toBe(price))
    expect(valueOf('Expert Name *')).toBe('Expert A')
  })
})

it('shows the accuracy by field and month', async () => {
  const half = { decided: 4, kept: 2, share: 0.5 }
  const of = (month: string, stored: number) => ({
    month,
    method: 'text_parsing',
    field: 'target_time',
    decided: 2,
    kept: stored,
    share: stored / 2,
  })
  server.on(ACCURACY, () => ({
    decisions: 4,
    total: { decided: 8, kept: 6, share: 0.75 },
    fields: [{ field: 'target_time', ...half }],
    methods: [{ method: 'text_parsing', decided: 8, kept: 6, share: 0.75 }],
    months: [of('2026-10', 0), of('2026-11', 2)],
  }))
  open()
  expect(await screen.findByText(/75% of the drafted fields/)).toBeDefined()
  const row = screen.getByRole('row', { name: /^Target date/ })
  expect(row.textContent).toBe('Target date50%100%0%')
})
