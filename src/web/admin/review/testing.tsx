import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render } from '@testing-library/react'
import { type ReactNode } from 'react'
import { afterEach, beforeEach, vi } from 'vitest'
import { type SubmissionRow } from '#contracts/review.ts'
import { ToastRoom } from '#web/ui/toasts.tsx'
import { type Detail, type DryRun, type SubmissionPage } from './calls.ts'

const ID = '00000000-0000-4000-8000-00000000000'

/** A submission; the number makes its id. */
export function submission(number: number, more: Partial<SubmissionRow> = {}): SubmissionRow {
  return {
    id: `${ID}${String(number)}`,
    asset_type: 'btc',
    origin: 'visitor',
    status: 'pending',
    expert_name: `Expert ${String(number)}`,
    twitter_handle: '@expert',
    nostr_npub: null,
    prediction_type: 'target',
    price_prediction: '$150,000',
    price_target: 150_000,
    price_min: null,
    price_max: null,
    timing: 'by',
    direction: null,
    target_time: '2027-12-31',
    prediction_made: '2026-11-20',
    made_precision: 'day',
    source_url: 'https://example.org/said',
    sources: [
      {
        kind: 'report',
        url: 'https://example.org/said',
        date: null,
        archived_url: null,
        quotation: null,
        speaker: null,
        dead_since: null,
      },
    ],
    notes: '',
    submitter_email: null,
    email: null,
    prediction_outcome: 'pending',
    admin_comment: null,
    created_at: '2026-11-20T10:00:00.000Z',
    submission_date: '2026-11-20T10:00:00.000Z',
    existing_influencer_id: null,
    existing_influencer_name: null,
    new_influencer: false,
    ai_metadata: null,
    paid_sats: 2_100,
    paid_at: '2026-11-20T10:01:00.000Z',
    payment_state: 'paid',
    decided_at: null,
    decided_by: null,
    prediction_id: null,
    version: 1,
    ...more,
  }
}

export function pageOf(rows: readonly SubmissionRow[], total = rows.length): SubmissionPage {
  return {
    rows: [...rows],
    next: total > rows.length ? `${ID}9,2026-11-19T10:00:00Z` : null,
    previous: null,
    total,
    flags: {},
    counts: { pending: total, approved: 3, rejected: 2, all: total + 5 },
  }
}

export function detailOf(row: SubmissionRow, more: Partial<Detail> = {}): Detail {
  return {
    submission: row,
    suggestions: [],
    duplicates: [],
    payments: [],
    audit: [],
    notices: [],
    told_by: null,
    undo_ms: 0,
    ...more,
  }
}

export function dryRunOf(more: Partial<DryRun> = {}): DryRun {
  return {
    fields: {},
    numbers: [],
    price_prediction: '$150,000',
    influencer: {
      id: null,
      name: 'Expert 1',
      is_new: true,
      sentence: 'Creates a new influencer: Expert 1.',
    },
    warnings: [],
    rule: 'Hit if BTC trades at or above $150,000.',
    verdicts: null,
    sentences: null,
    split_note: null,
    prediction: null,
    prices: null,
    ...more,
  }
}

/** A call that was made: `PUT /api/…`, its query and its body. */
export type Made = { readonly name: string; readonly query: string; readonly body: unknown }

/**
 * For each test of a file: a fixed time, an address, and a server of replies by the beginning of `METHOD /path`; the longest
 * that fits answers. Notes every call.
 */
export function adminServer(address = '/admin') {
  const made: Made[] = []
  const replies = new Map<string, (call: Made) => Response | Promise<Response>>()
  const fetched = vi.fn<typeof fetch>((to, request) => {
    const url = new URL(to instanceof Request ? to.url : String(to), 'http://site')
    const text = typeof request?.body === 'string' ? request.body : 'null'
    const call: Made = {
      name: `${request?.method ?? 'GET'} ${url.pathname}`,
      query: url.search,
      body: JSON.parse(text) as unknown,
    }
    made.push(call)
    const [found] = [...replies]
      .filter(([name]) => call.name.startsWith(name))
      .toSorted(([a], [b]) => b.length - a.length)
      .map(([, reply]) => reply)
    return found ? Promise.resolve(found(call)) : Promise.reject(new Error('no network'))
  })
  beforeEach(() => {
    made.length = 0
    replies.clear()
    vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z') })
    vi.stubGlobal('fetch', fetched)
    history.replaceState(null, '', address)
    Element.prototype.scrollIntoView = () => undefined
  })
  afterEach(() => {
    cleanup()
    // What could be undone cannot any more.
    if (vi.isFakeTimers()) vi.advanceTimersByTime(10_000)
    sessionStorage.clear()
    localStorage.clear()
    Reflect.deleteProperty(Element.prototype, 'scrollIntoView')
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
  return {
    made,
    madeOf: (name: string) => made.filter((call) => call.name.startsWith(name)),
    /** Answers calls whose name begins like this from now on. */
    on(name: string, reply: (call: Made) => unknown): void {
      replies.set(name, async (call) => {
        const answer = await reply(call)
        return answer instanceof Response ? answer : Response.json(answer)
      })
    },
    off: (name: string) => void replies.delete(name),
  }
}

export function refusal(
  status: number,
  code: string,
  error: string,
  fields?: Readonly<Record<string, string>>,
): Response {
  return Response.json({ success: false, code, error, ...(fields && { fields }) }, { status })
}

/** What a screen needs around it. */
export function show(screen: ReactNode): void {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <ToastRoom>{screen}</ToastRoom>
    </QueryClientProvider>,
  )
}

/** Lets time pass, with all that is due in it. */
export async function pass(ms = 50): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(ms)
  })
}
