import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type SocialPost } from '#contracts/publishing.ts'
import { stubWideWindow } from '#tests/support/web-fixtures.ts'
import { ToastRoom } from '#web/ui/toasts.tsx'
import { post, result } from './testing.ts'
import { useRowActs } from './post-rows.tsx'
import { useComposer } from './use-composer.ts'
import { WeekCalendar } from './week-calendar.tsx'

// A Wednesday.
const NOW = new Date('2026-11-25T12:00').getTime()
const ID = (n: number): string => `6a1f0d0e-0000-4000-8000-00000000000${String(n)}`
const at = (text: string): string => new Date(`2026-11-${text}`).toISOString()
const planned = (part: Partial<SocialPost> = {}): SocialPost =>
  post({ id: ID(1), state: 'scheduled', x_text: 'A plan', scheduled_at: at('27T09:30'), ...part })
const sent = post({
  id: ID(2),
  x_text: 'It is out',
  scheduled_at: at('24T10:00'),
  results: [result('x', {}), result('nostr', { state: 'failed', error: 'Away.' })],
})

let posts: SocialPost[]
let answer: (body: Record<string, unknown>) => Response
let puts: Record<string, unknown>[]
let asked: string[]

beforeEach(() => {
  stubWideWindow()
  vi.useFakeTimers({ now: NOW })
  localStorage.clear()
  posts = [planned(), sent]
  puts = []
  asked = []
  answer = (body) => {
    const moved = planned({
      scheduled_at: String(body['scheduled_at']),
      updated_at: at('25T12:00'),
    })
    posts = [moved, sent]
    return Response.json({ success: true, post: moved })
  }
  vi.stubGlobal('fetch', (address: string, request: RequestInit) => {
    const url = new URL(address, 'http://localhost')
    if (url.pathname.endsWith('/calendar')) {
      asked.push(url.search)
      const [from, to] = [url.searchParams.get('from') ?? '', url.searchParams.get('to') ?? '']
      const inSpan = posts.filter(
        ({ scheduled_at: time }) => from <= (time ?? '') && (time ?? '') < to,
      )
      return Promise.resolve(Response.json({ posts: inSpan, cut: false }))
    }
    if (request.method !== 'PUT') return Promise.reject(new Error('no network'))
    const body = JSON.parse(request.body as string) as Record<string, unknown>
    puts.push(body)
    return Promise.resolve(answer(body))
  })
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function Screen() {
  const composer = useComposer({ owner: 'Admin A', submissionId: null, predictionId: null })
  const acts = useRowActs(composer)
  return <WeekCalendar acts={acts} nowMs={NOW} profile={null} composer={composer} />
}

async function pass(): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(50)
  })
}

async function openWeek(): Promise<void> {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <ToastRoom>
        <Screen />
      </ToastRoom>
    </QueryClientProvider>,
  )
  await pass()
}

const plan = (): HTMLElement => screen.getByRole('button', { name: /A plan$/ })
const heard = (): string | null => screen.getByRole('status').textContent

/** What the keyboard does to the post that has the focus. */
async function press(...keys: string[]): Promise<void> {
  for (const key of keys) {
    const on = document.activeElement ?? document.body
    // A browser makes a click of Enter on a button.
    if (key === 'Enter') fireEvent.click(on)
    else fireEvent.keyDown(on, { key })
    await pass()
  }
}

describe('the week', () => {
  it('the week shows what is planned and what was sent, with its true state', async () => {
    await openWeek()
    const list = screen.getByRole('list', { name: /^Posts of the week from Mon 23\/11\/2026/ })
    expect(within(list).getAllByRole('button')).toHaveLength(2)
    for (const name of [
      'Fri 27/11 09:30 planned, X and Nostr: A plan',
      'Tue 24/11 10:00 failed, X and Nostr: It is out',
    ]) {
      expect(within(list).getByRole('button', { name })).toBeDefined()
    }
    fireEvent.click(screen.getByRole('button', { name: /It is out$/ }))
    await pass()
    expect(screen.getByText('Failed to post to Nostr')).toBeDefined()
    // What is out is not picked up.
    expect(screen.queryByText('Drop here')).toBeNull()
  })

  it('the week has no room for the words of posts side by side, but says them', async () => {
    posts = [planned(), planned({ id: ID(3), x_text: 'Another' })]
    await openWeek()
    for (const text of ['A plan', 'Another']) {
      expect(screen.getByText(text).className).toBe('aside-voice')
    }
  })

  it('the week lets the keyboard pick up a post, move it and drop it, and says where it is', async () => {
    await openWeek()
    plan().focus()
    await press('Enter')
    expect(plan().getAttribute('aria-pressed')).toBe('true')
    expect(heard()).toMatch(/^Picked up at Fri 27\/11\/2026, 09:30\. Arrow keys move it/)
    await press('ArrowRight', 'ArrowDown')
    expect(heard()).toBe('Sat 28/11/2026, 10:30')
    expect(document.activeElement).toBe(plan())
    expect(puts).toEqual([])
    await press('Enter')
    expect(puts).toMatchObject([
      {
        action: 'schedule',
        x_text: 'A plan',
        scheduled_at: at('28T10:30'),
        seen_at: planned().updated_at,
      },
    ])
    expect(heard()).toBe('Moved to Sat 28/11/2026, 10:30.')
    expect(document.activeElement).toBe(plan())
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    await pass()
    expect(puts[1]).toMatchObject({ scheduled_at: at('27T09:30'), seen_at: at('25T12:00') })
  })

  it('the week puts a post back by Escape, and changes nothing where it is dropped where it was', async () => {
    await openWeek()
    plan().focus()
    await press('Enter', 'ArrowLeft', 'Escape')
    expect(heard()).toBe('Back at Fri 27/11/2026, 09:30.')
    expect(plan().textContent).toContain('Fri 27/11 09:30')
    await press('Enter', 'ArrowLeft', 'ArrowRight', 'Enter')
    expect(heard()).toBe('Left at Fri 27/11/2026, 09:30.')
    expect(puts).toEqual([])
  })

  it('the week refuses a time that is over, and the post stays picked up', async () => {
    await openWeek()
    plan().focus()
    await press('Enter', 'ArrowLeft', 'ArrowLeft')
    expect(heard()).toBe('Wed 25/11/2026, 09:30, which is over')
    await press('Enter')
    expect(heard()).toBe('That time has passed. Please choose a later one.')
    expect(plan().getAttribute('aria-pressed')).toBe('true')
    expect(puts).toEqual([])
  })

  it('the week follows a post into the next one, and stays there once it is dropped', async () => {
    await openWeek()
    plan().focus()
    await press('Enter', 'ArrowRight', 'ArrowRight', 'ArrowRight')
    expect(heard()).toBe('Mon 30/11/2026, 09:30')
    expect(document.activeElement).toBe(plan())
    expect(screen.queryByRole('button', { name: /It is out$/ })).toBeNull()
    await press('Enter')
    expect(puts).toMatchObject([{ scheduled_at: at('30T09:30') }])
    expect(plan().textContent).toContain('Mon 30/11 09:30')
    fireEvent.click(screen.getByRole('button', { name: 'This week' }))
    await pass()
    expect(screen.getByRole('button', { name: /It is out$/ })).toBeDefined()
  })

  it('the week keeps the focus on a post that is dropped behind another one', async () => {
    const other = planned({ id: ID(3), x_text: 'Another', scheduled_at: at('27T12:00') })
    posts = [planned(), other]
    answer = (body) => {
      const moved = planned({ scheduled_at: String(body['scheduled_at']) })
      posts = [other, moved]
      return Response.json({ success: true, post: moved })
    }
    await openWeek()
    plan().focus()
    await press('Enter', 'ArrowRight', 'Enter')
    expect(screen.getAllByRole('button', { name: /A plan$|Another$/ }).at(-1)).toBe(plan())
    expect(document.activeElement).toBe(plan())
  })

  it('the week says when another was faster, and shows the post where it is', async () => {
    answer = () => {
      posts = [planned({ scheduled_at: at('29T08:00') }), sent]
      const failure = { success: false, error: 'Changed.', message: 'Changed.', code: 'conflict' }
      return Response.json(failure, { status: 409 })
    }
    await openWeek()
    plan().focus()
    await press('Enter', 'ArrowDown', 'Enter')
    expect(screen.getAllByText('Changed.').length).toBeGreaterThan(0)
    expect(plan().textContent).toContain('Sun 29/11 08:00')
  })
})
