import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pass, refusal, show, stubServer } from '#web/admin/review/testing.tsx'
import { EarlierDaysPanel } from './earlier-days-panel.tsx'
import { JobsPanel } from './jobs-panel.tsx'
import { JumpsPanel } from './jumps-panel.tsx'
import { ProcessesPanel } from './processes-panel.tsx'
import { SourceChecksPanel } from './source-checks-panel.tsx'
import { SourcesPanel } from './sources-panel.tsx'

let server: ReturnType<typeof stubServer>

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z') })
  server = stubServer()
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const JUMP = {
  asset: 'mstr',
  date: '2024-12-04',
  sources: 'yahoo',
  before_date: '2024-12-03',
  before: 400,
  after: 200,
  asked_at: '2026-11-20T10:00:00.000Z',
  answer: null,
  answered_at: null,
  looks_like_split: 2,
}

describe('a price jump on screen', () => {
  it('a price jump on screen is answered as a split with the ratio it looks like', async () => {
    server.on('GET /api/v1/admin/prices/jumps', () => ({ jumps: [JUMP] }))
    server.on('POST /api/v1/admin/prices/jumps/answer', () => ({ success: true, message: 'Done.' }))
    show(<JumpsPanel />)
    await pass()
    expect(
      screen.getByText('MSTR on 04/12/2024: $200 after $400 on 03/12/2024 (yahoo).'),
    ).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'It was a split' }))
    await pass()
    expect(server.madeOf('POST')[0]?.body).toEqual({
      asset: 'mstr',
      date: '2024-12-04',
      answer: 'split',
      ratio: 2,
      note: '',
    })
  })

  it('a price jump on screen says why an answer was refused', async () => {
    server.on('GET /api/v1/admin/prices/jumps', () => ({ jumps: [JUMP] }))
    server.on('POST /api/v1/admin/prices/jumps/answer', () =>
      refusal(409, 'conflict', 'No question about mstr on 04/12/2024 is open.'),
    )
    show(<JumpsPanel />)
    await pass()
    fireEvent.click(screen.getByRole('button', { name: 'It was real' }))
    await pass()
    expect(screen.getByRole('alert').textContent).toContain('No question about mstr')
    expect(server.madeOf('POST')[0]?.body).not.toHaveProperty('ratio')
  })
})

const CHANGES = {
  days: 2310,
  from: '2012-01-01',
  to: '2018-04-28',
  changed: 1,
  changes: [
    { id: 'a', mode: 'touch', before: 'MISS on 20/10/2013', after: 'SUCCESS on 05/10/2013' },
  ],
  completed: 40,
}

it('highs and lows of earlier days on screen are published after a look at what changes', async () => {
  server.on('GET /api/v1/admin/prices/earlier-days', () => ({
    mode: 'review',
    sources: [
      {
        asset: 'btc',
        source: 'bitstamp',
        title: 'Bitstamp',
        state: 'done',
        asked_from: '2012-01-01',
        asked_to: '2018-04-28',
        reaches: '2012-01-01',
        days_read: 2310,
        days_refused: 1,
        note: null,
        next_run: null,
      },
      {
        asset: 'btc',
        source: 'kraken',
        title: 'Kraken',
        state: 'done',
        asked_from: '2024-12-04',
        asked_to: '2026-10-01',
        reaches: '2024-12-04',
        days_read: 667,
        days_refused: 0,
        note: 'Kraken has no prices from then.',
        next_run: null,
      },
    ],
    waiting: [
      { asset: 'btc', complete: true, digest: 'a', ...CHANGES },
      { asset: 'mstr', complete: false, digest: 'b', ...CHANGES },
    ],
    published: [],
    refused: {
      total: 3,
      newest: [{ asset: 'btc', date: '2013-04-11', source: 'bitstamp', reason: 'Too far.' }],
    },
  }))
  server.on('POST /api/v1/admin/prices/earlier-days/publish', () =>
    refusal(409, 'conflict', 'Please look at the new one first.'),
  )
  show(<EarlierDaysPanel />)
  await pass()
  expect(document.body.textContent).toContain(
    'BTC, 01/01/2012 to 28/04/2018: 2,310 days with a range. 1 verdict would change, 40 with better evidence.',
  )
  expect(document.body.textContent).toContain(
    'a, by intraday prices: MISS on 20/10/2013 → SUCCESS on 05/10/2013',
  )
  expect(document.body.textContent).toContain('3 prices refused (the newest 1 are listed)')
  // Only what failed or ran out can be asked again.
  server.on('POST /api/v1/admin/prices/sources/run', () => ({
    success: true,
    message: 'It is asked now.',
  }))
  fireEvent.click(screen.getByRole('button', { name: 'Ask again' }))
  await pass()
  expect(server.madeOf('POST').at(-1)?.body).toEqual({
    asset: 'btc',
    source: 'kraken',
    earlier_days: true,
  })
  expect(screen.getByText('It is asked now.')).toBeDefined()
  // What is not complete cannot be published.
  const [button] = screen.getAllByRole('button', { name: /^Publish/ })
  expect(screen.getAllByRole('button', { name: /^Publish/ })).toHaveLength(1)
  if (button) fireEvent.click(button)
  await pass()
  expect(server.madeOf('POST').at(-1)?.body).toEqual({ asset: 'btc', seen: 'a' })
  expect(screen.getByRole('alert').textContent).toContain('look at the new one first')
})

describe('jobs and sources on screen', () => {
  it('jobs and sources on screen show what fails, and a source is run on demand', async () => {
    server.on('GET /api/v1/admin/jobs', () => ({
      now: '2026-11-20T12:00:00.000Z',
      warnings: [{ name: 'other-wallet', text: '2 open invoices came from another wallet.' }],
      jobs: [
        {
          name: 'notices',
          title: 'Telling submitters',
          state: 'failing',
          waiting: 2,
          last_run: null,
          last_error: 'The mail server is away.',
          last_error_at: null,
          next_run: null,
        },
      ],
    }))
    server.on('GET /api/v1/admin/prices/sources', () => ({
      now: '2026-11-20T12:00:00.000Z',
      prices: true,
      leader: true,
      assets: [{ asset: 'btc', last_bar: '2026-11-18', expected_bar: '2026-11-19', live: null }],
      earlier_days: { mode: 'publish', sources: [] },
      questions: [],
      sources: [
        {
          asset: 'btc',
          source: 'kraken',
          title: 'Kraken',
          kind: 'daily',
          official: true,
          state: 'ok',
          last_success: '2026-11-20T11:00:00.000Z',
          last_error: null,
          last_error_at: null,
          failures: 0,
          last_bar: '2026-11-19',
          next_run: null,
        },
      ],
    }))
    server.on('POST /api/v1/admin/prices/sources/run', () => ({
      success: true,
      message: 'It is asked now.',
    }))
    show(
      <>
        <JobsPanel />
        <SourcesPanel />
      </>,
    )
    await pass()
    expect(screen.getByText('The mail server is away.')).toBeDefined()
    expect(screen.getByText('2 open invoices came from another wallet.')).toBeDefined()
    expect(screen.getByText('BTC up to 18/11/2026 (19/11/2026 expected)')).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Run now' }))
    await pass()
    expect(server.madeOf('POST')[0]?.body).toEqual({ asset: 'btc', source: 'kraken' })
    expect(screen.getByText('It is asked now.')).toBeDefined()
  })
})

describe('processes on screen', () => {
  it('each is shown with what it does, and a silent one as silent', async () => {
    const web = {
      id: '00000000-0000-4000-8000-000000000001',
      role: 'web',
      host: 'one',
      pid: 11,
      started_at: '2026-11-20T10:00:00.000Z',
      heard_seconds_ago: 1,
      is_alive: true,
      leads: false,
      lines: 1234,
      replica: { state: 'behind', behind_ms: 2340 },
    }
    const worker = {
      ...web,
      id: '00000000-0000-4000-8000-000000000002',
      role: 'worker',
      pid: 12,
      leads: true,
      lines: 0,
      replica: null,
      is_alive: false,
      heard_seconds_ago: 42.4,
    }
    server.on('GET /api/v1/admin/processes', () => ({ processes: [web, worker] }))
    show(<ProcessesPanel />)
    await pass()
    const rows = screen.getAllByRole('row').map(({ textContent }) => textContent)
    expect(rows.slice(1)).toEqual([
      'one, 11runningpages1,234not read, 2.3 s behind20/11/2026, 10:00',
      'one, 12silent for 42 sjobs, live prices0–20/11/2026, 10:00',
    ])
  })
})

describe('the addresses of sources on screen', () => {
  const NONE = {
    mode: 'off',
    addresses: 304,
    asked: 0,
    waiting: 304,
    failing: 0,
    closed: 0,
    last_asked: null,
    next_ask: null,
    dead: { total: 0, newest: [] },
  }

  it('the addresses of sources on screen name those that are dead, with their copies and predictions', async () => {
    server.on('GET /api/v1/admin/sources/checks', () => ({
      ...NONE,
      mode: 'weekly',
      asked: 304,
      waiting: 0,
      failing: 2,
      closed: 40,
      last_asked: '2026-11-20T11:00:00.000Z',
      next_ask: '2026-11-24T10:00:00.000Z',
      dead: {
        total: 1_204,
        newest: [
          {
            url: 'https://example.org/gone',
            dead_since: '2026-11-06T10:00:00.000Z',
            asked_at: '2026-11-20T10:00:00.000Z',
            note: 'The page answered HTTP 404.',
            archived_url: 'https://web.archive.org/web/2024/https://example.org/gone',
            predictions: ['a', 'b'],
          },
        ],
      },
    }))
    show(<SourceChecksPanel />)
    await pass()
    const text = document.body.textContent
    expect(text).toContain('304 of 304 addresses asked, 0 due. 1,204 no longer answer, 2 failed')
    expect(text).toContain('40 could not be checked. Last asked: 20/11/2026')
    expect(text).toContain('Next: 24/11/2026')
    const links = screen.getAllByRole('link').map((one) => one.getAttribute('href'))
    expect(links).toEqual([
      'https://example.org/gone',
      'https://web.archive.org/web/2024/https://example.org/gone',
      '/predictions/a',
      '/predictions/b',
    ])
    expect(text).toContain('The page answered HTTP 404.')
    expect(text).toContain('The newest 1 are listed.')
  })

  it('the addresses of sources on screen say that they are not asked where that is off', async () => {
    server.on('GET /api/v1/admin/sources/checks', () => NONE)
    show(<SourceChecksPanel />)
    await pass()
    expect(document.body.textContent).toContain(
      'Addresses of sources are not asked (SOURCE_CHECKS=off). 0 of 304 addresses asked',
    )
    expect(document.body.textContent).not.toContain('Next:')
    expect(screen.queryByRole('table')).toBeNull()
  })
})
