// Over 400 lines: one screen from the link to the submission, with one stand-in for its server.
import { shows } from '#tests/support/waiting.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type TweetExtraction } from '#contracts/posts.ts'
import { day } from '#domain/day.ts'
import { ToastRoom } from '#web/ui/toasts.tsx'
import { Extractor } from './extractor.tsx'
import { emptyExtraction, extractionOf } from './testing.ts'

const URL_TEXT = 'https://x.com/ada_example/status/1899000000000000001'
const NO_ACCURACY = {
  decisions: 0,
  total: { decided: 0, kept: 0, share: 0 },
  fields: [],
  methods: [],
  months: [],
}

type Answer = () => Response | Promise<Response>
/** What the server answers, by path. */
let answers: Record<string, Answer>
let asked: { path: string; body: unknown }[]

beforeEach(() => {
  asked = []
  answers = { '/api/v1/admin/extraction-accuracy': () => Response.json(NO_ACCURACY) }
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>((address, init) => {
      const path = typeof address === 'string' ? address : ''
      asked.push({ path, body: typeof init?.body === 'string' ? JSON.parse(init.body) : null })
      const answer = answers[path]
      return Promise.resolve(answer ? answer() : new Response(null, { status: 404 }))
    }),
  )
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function show(): void {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <ToastRoom>
        <Extractor today={day('2026-11-20')} />
      </ToastRoom>
    </QueryClientProvider>,
  )
}

function type(label: RegExp | string, text: string): void {
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } })
}

function press(name: string): void {
  fireEvent.click(screen.getByRole('button', { name }))
}

async function read(extraction: TweetExtraction): Promise<void> {
  answers['/api/extract-tweet'] = () => Response.json({ success: true, data: extraction })
  show()
  type('Tweet URL', URL_TEXT)
  press('Extract')
  await screen.findByRole('heading', { name: 'Final Decision' })
}

function failure(status: number, code: string, error: string): Answer {
  return () => Response.json({ success: false, code, error, message: error }, { status })
}

describe('the link', () => {
  it.each([
    ['', 'Please enter a tweet URL'],
    ['https://evil-x.com/a/status/1', 'Please enter a valid Twitter/X.com URL'],
    ['javascript:alert(1)//x.com', 'Please enter a valid Twitter/X.com URL'],
  ])('the link %j is refused before anything is asked', async (url, message) => {
    show()
    expect(await screen.findByText('No decisions yet.')).toBeDefined()
    type('Tweet URL', url)
    press('Extract')
    expect(screen.getByRole('alert').textContent).toBe(message)
    expect(asked.some(({ path }) => path === '/api/extract-tweet')).toBe(false)
  })

  it('a link can be left out where the text is pasted', async () => {
    answers['/api/extract-tweet'] = () => Response.json({ success: true, data: extractionOf() })
    show()
    press('Paste the text')
    press('Extract')
    expect(screen.getByRole('alert').textContent).toBe('Please paste the text of the post.')
    type('Text of the post', 'BTC to $250k by 2027')
    type(/^Author/, '@ada')
    type(/^Day it was posted/, '2026-03-10')
    press('Extract')
    await screen.findByRole('heading', { name: 'Raw Tweet Data' })
    expect(asked.at(-1)?.body).toEqual({
      text: 'BTC to $250k by 2027',
      author: '@ada',
      posted: '2026-03-10',
    })
  })
})

describe('the reading', () => {
  it('the reading is announced, and can be stopped', async () => {
    answers['/api/extract-tweet'] = () => new Promise(() => undefined)
    show()
    type('Tweet URL', URL_TEXT)
    press('Extract')
    expect(screen.getByText('Reading the post...')).toBeDefined()
    press('Stop')
    expect(await screen.findByRole('button', { name: 'Extract' })).toBeDefined()
    expect(screen.getByLabelText<HTMLInputElement>('Tweet URL').value).toBe(URL_TEXT)
  })

  it('the reading is shown with the words behind each field and both readings', async () => {
    await read(extractionOf())
    const words = screen.getByLabelText('The post with the words that were read')
    const marks = [...words.querySelectorAll('mark')].map((mark) => [
      mark.dataset['field'],
      mark.firstChild?.textContent,
    ])
    expect(marks).toEqual([
      ['asset_type', 'Bitcoin'],
      ['prediction_type', 'will hit'],
      ['price_target', '$250k'],
      ['target_time', 'by the end of 2027'],
    ])
    const fields = screen.getByRole('list', { name: 'Fields and their words' })
    expect(fields.textContent).toContain('Target date31/12/2027')
    expect(screen.getByText('Grok')).toBeDefined()
    const row = screen.getByRole('row', { name: /^Target date/ })
    expect(row.textContent).toBe('Target date30/12/202731/12/2027')
    expect(screen.getByText(/Read by grok-4.3 in 2.3 s, about \$0.0091/)).toBeDefined()
    expect(screen.getAllByText('not known')).toHaveLength(1)
  })

  it('the reading shows the length of each proposal as X counts', async () => {
    await read(extractionOf({ tweet_proposals: [{ style: 'neutral', text: '₿ to naka.foo' }] }))
    expect(screen.getByText('29 / 280')).toBeDefined()
  })

  it('the reading says why there is no prediction, and leaves the form to be filled', async () => {
    await read(emptyExtraction())
    expect(screen.getByText('No testable prediction here.').parentElement?.textContent).toContain(
      'The post asks a question.',
    )
    expect(screen.getByLabelText<HTMLInputElement>('Price Prediction *').value).toBe('')
    expect(screen.getByLabelText<HTMLInputElement>('Target Date *').value).toBe('')
  })

  it.each([
    [
      { assistant_error: 'xAI did not answer within 45 s.' },
      /Read by rules in 2.3 s. grok-4.3 was asked in vain/,
    ],
    [{}, /grok-4.3 was asked as well, about \$0.0091/],
  ])('the reading of the rules names no model as its reader: %j', async (changed, spent) => {
    const { readings } = extractionOf()
    const isLost = 'assistant_error' in changed
    await read(
      extractionOf({
        ...changed,
        grok_used: false,
        extraction_method: 'text_parsing',
        readings: { ...readings, assistant: isLost ? null : readings.assistant },
      }),
    )
    expect(screen.queryByText(/The model did not help: xAI did not answer/) !== null).toBe(isLost)
    expect(screen.getByText('Text parsing')).toBeDefined()
    expect(screen.getByText(spent)).toBeDefined()
  })

  it.each([
    [404, 'not_found', 'This post has been deleted.', false],
    [409, 'conflict', 'This account is protected.', false],
    [503, 'unavailable', 'X did not answer. Please paste the text.', true],
  ])('a reading that fails with %i says so', async (status, code, text, canPaste) => {
    answers['/api/extract-tweet'] = failure(status, code, text)
    show()
    type('Tweet URL', URL_TEXT)
    press('Extract')
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Failed to extract tweet data')
    expect(alert.textContent).toContain(text)
    expect(screen.queryByLabelText('Text of the post') !== null).toBe(canPaste)
    expect(screen.queryByRole('button', { name: 'Try again' }) !== null).toBe(canPaste)
  })

  it('the reading says what may be missing when the server gives no answer of ours', async () => {
    answers['/api/extract-tweet'] = () => new Response('<html>', { status: 502 })
    show()
    type('Tweet URL', URL_TEXT)
    press('Extract')
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Failed to extract tweet data. This feature may require API keys.',
    )
  })
})

describe('reading a post again', () => {
  const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value

  async function again(): Promise<void> {
    press('Fetch again')
    expect(screen.getByText('Reading the post again...')).toBeDefined()
    await shows(() => expect(screen.queryByText('Reading the post again...')).toBeNull())
  }

  it('reading a post again keeps what was changed, takes the rest as it is read now, and shows the difference', async () => {
    await read(extractionOf())
    type('Price Prediction *', '$260,000')
    type('Notes', 'Mine')
    answers['/api/extract-tweet'] = () =>
      Response.json({
        success: true,
        data: extractionOf({
          extraction_id: 8,
          expert_name: 'Ada B. Example',
          price_prediction: '$270,000',
          prediction_type: 'top',
          price_target: null,
          price_max: 270_000,
        }),
      })
    await again()
    expect(asked.at(-1)?.body).toMatchObject({ refetch: true })
    expect(value('Price Prediction *')).toBe('$260,000')
    expect(value('Prediction Type *')).toBe('target')
    expect(value('Notes')).toBe('Mine')
    expect(value('Expert Name *')).toBe('Ada B. Example')
    expect(screen.getByText('Drafted: $270,000')).toBeDefined()
    expect(screen.getByText(/Your changes are kept/)).toBeDefined()
    answers['/api/submissions'] = failure(500, 'internal', '')
    press('Submit Prediction')
    await screen.findByText('Failed to submit prediction')
    expect(asked.at(-1)?.body).toMatchObject({ extraction_id: 8, price_target: 260_000 })
    press('Back to the draft')
    expect(value('Price Prediction *')).toBe('$270,000')
    expect(value('Prediction Type *')).toBe('top')
  })

  it('reading a post again keeps what was changed also where that fails or is stopped, and where its link is asked for once more', async () => {
    await read(extractionOf())
    type('Price Prediction *', '$260,000')
    answers['/api/extract-tweet'] = failure(503, 'unavailable', 'X did not answer.')
    await again()
    expect(screen.getByText(/X did not answer/)).toBeDefined()
    expect(value('Price Prediction *')).toBe('$260,000')
    answers['/api/extract-tweet'] = () => new Promise(() => undefined)
    press('Try again')
    press('Stop')
    expect(value('Price Prediction *')).toBe('$260,000')
    press('Paste the text')
    answers['/api/extract-tweet'] = () =>
      Response.json({ success: true, data: extractionOf({ extraction_id: 9 }) })
    press('Extract')
    await screen.findByText(/Your changes are kept/)
    expect(value('Price Prediction *')).toBe('$260,000')
  })

  it('reading another post starts an empty form, once it is clear that what was changed goes', async () => {
    await read(extractionOf())
    type('Price Prediction *', '$260,000')
    const other = '1899000000000000002'
    answers['/api/extract-tweet'] = () =>
      Response.json({ success: true, data: extractionOf({ extraction_id: 9, tweet_id: other }) })
    type('Tweet URL', `https://x.com/i/status/${other}`)
    const before = asked.length
    press('Extract')
    expect(screen.getByRole('alert').textContent).toContain('Your changes are not submitted.')
    press('Keep editing')
    expect(screen.queryByRole('alert')).toBeNull()
    expect([asked.length, value('Price Prediction *')]).toEqual([before, '$260,000'])
    press('Extract')
    press('Read the other post')
    await shows(() => expect(value('Price Prediction *')).toBe('$250,000'))
    // Where nothing has been changed, nothing is asked.
    type('Tweet URL', URL_TEXT)
    press('Extract')
    expect(screen.queryByText('Your changes are not submitted.')).toBeNull()
  })
})

describe('the decision', () => {
  it('the decision needs its fields, and says which', async () => {
    await read(extractionOf())
    type('Expert Name *', '')
    type('Target Date *', '')
    press('Submit Prediction')
    const alerts = screen.getAllByRole('alert').map((alert) => alert.textContent)
    expect(alerts).toContain('Please fill in required fields: Expert Name, Target Date')
    expect(asked.some(({ path }) => path === '/api/submissions')).toBe(false)
  })

  it('the decision takes no secret key into a field, and says why', async () => {
    await read(extractionOf())
    const before = screen.getByLabelText<HTMLTextAreaElement>('Notes').value
    type('Notes', `Mine: nsec1${'q'.repeat(58)}`)
    const notes = screen.getByLabelText<HTMLTextAreaElement>('Notes')
    expect([notes.value, notes.getAttribute('aria-invalid')]).toEqual([before, 'true'])
  })

  it('the decision asks for both ends of a range', async () => {
    await read(extractionOf())
    fireEvent.change(screen.getByLabelText('Prediction Type *'), { target: { value: 'range' } })
    press('Submit Prediction')
    expect(
      screen.getByText('Please fill in required fields: Price Minimum, Price Maximum'),
    ).toBeDefined()
  })

  it('the decision shows what was drafted where it is changed, and goes back to it', async () => {
    await read(extractionOf())
    type('Price Prediction *', '$260,000')
    expect(screen.getByText('Drafted: $250,000')).toBeDefined()
    press('Back to the draft')
    expect(screen.getByLabelText<HTMLInputElement>('Price Prediction *').value).toBe('$250,000')
  })

  it('the decision is submitted with its draft, shows its ID, and clears after three seconds', async () => {
    answers['/api/submissions'] = () =>
      Response.json({
        success: true,
        submission: { id: 'sub-1' },
        message:
          'Prediction submitted successfully! It will be reviewed before going live. Submission ID: sub-1',
      })
    await read(extractionOf())
    type('Price Prediction *', '$260,000')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    press('Submit Prediction')
    await act(() => vi.advanceTimersByTimeAsync(10))
    const form = screen.getByRole('form', { name: 'Final Decision' })
    expect(within(form).getByRole('status').textContent).toContain('Submission ID: sub-1')
    expect(asked.find(({ path }) => path === '/api/submissions')?.body).toMatchObject({
      price_target: 260_000,
      extraction_id: 7,
      source_url: 'https://x.com/i/status/1899000000000000001',
    })
    await act(() => vi.advanceTimersByTimeAsync(2_900))
    expect(screen.queryByRole('heading', { name: 'Final Decision' })).not.toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(200))
    expect(screen.queryByRole('heading', { name: 'Final Decision' })).toBeNull()
    const next = screen.getByLabelText<HTMLInputElement>('Tweet URL')
    expect(next.value).toBe('')
    expect(document.activeElement).toBe(next)
    expect(screen.getByText(/Submission ID: sub-1/)).toBeDefined()
  })

  it('the decision says that a person is new, where another of this name is on record', async () => {
    answers['/api/submissions'] = failure(500, 'internal', '')
    await read(extractionOf({ existing_influencer_id: 3, existing_influencer_name: 'Ada E.' }))
    press('Submit Prediction')
    expect(await screen.findByText('Failed to submit prediction')).toBeDefined()
    expect(asked.at(-1)?.body).not.toHaveProperty('new_influencer')
    fireEvent.click(screen.getByLabelText(/Create a new influencer named Ada E\./))
    press('Submit Prediction')
    await shows(() => expect(asked.at(-1)?.body).toMatchObject({ new_influencer: true }))
  })

  it('the decision goes where submissions of its asset are taken', async () => {
    answers['/api/mstr/submissions'] = failure(500, 'internal', '')
    await read(extractionOf({ asset_type: 'mstr' }))
    press('Submit Prediction')
    expect(await screen.findByText('Failed to submit prediction')).toBeDefined()
    expect(asked.at(-1)?.path).toBe('/api/mstr/submissions')
    answers['/api/mstr/submissions'] = () => Promise.reject(new TypeError('cut off'))
    press('Submit Prediction')
    expect(
      await screen.findByText('Failed to submit prediction. The server cannot be reached.'),
    ).toBeDefined()
  })

  it('the decision shows what the server refuses at its field and keeps all that was typed', async () => {
    answers['/api/submissions'] = () =>
      Response.json(
        {
          success: false,
          code: 'invalid',
          error: 'Please enter a price below one trillion dollars.',
          message: 'Please enter a price below one trillion dollars.',
          fields: { price_target: 'Please enter a price below one trillion dollars.' },
        },
        { status: 400 },
      )
    await read(extractionOf())
    press('Submit Prediction')
    expect(await screen.findAllByText(/below one trillion/)).toHaveLength(2)
    const price = screen.getByLabelText('Price Prediction *')
    expect(price.getAttribute('aria-invalid')).toBe('true')
    // The fields rest while it is sent: what is wrong takes the focus once they do not any more.
    await waitFor(() => expect(document.activeElement).toBe(price))
    expect(screen.getByLabelText<HTMLInputElement>('Expert Name *').value).toBe('Ada Example')
  })
})

describe('the accuracy', () => {
  it('the accuracy is shown by field and month', async () => {
    answers['/api/v1/admin/extraction-accuracy'] = () =>
      Response.json({
        decisions: 4,
        total: { decided: 8, kept: 6, share: 0.75 },
        fields: [
          { field: 'target_time', decided: 4, kept: 2, share: 0.5 },
          { field: 'expert_name', decided: 4, kept: 4, share: 1 },
        ],
        methods: [{ method: 'text_parsing', decided: 8, kept: 6, share: 0.75 }],
        months: [
          {
            month: '2026-10',
            method: 'text_parsing',
            field: 'target_time',
            decided: 2,
            kept: 0,
            share: 0,
          },
          {
            month: '2026-11',
            method: 'text_parsing',
            field: 'target_time',
            decided: 2,
            kept: 2,
            share: 1,
          },
        ],
      })
    show()
    expect(await screen.findByText(/75% of the drafted fields/)).toBeDefined()
    expect(screen.getByRole('row', { name: /^Target date/ }).textContent).toBe(
      'Target date50%100%0%',
    )
  })
})
