import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render } from '@testing-library/react'
import { useState, type ReactNode } from 'react'
import { afterEach, beforeEach, vi } from 'vitest'
import { ToastRoom } from '#web/ui/toasts.tsx'
import { stepsText } from './steps.ts'
import { stubWideWindow } from './web-fixtures.ts'

/** A call that was made: `PUT /api/…`, its query, its body and its idempotency key. */
export type Made = {
  readonly name: string
  readonly query: string
  readonly body: unknown
  readonly key: string | null
  readonly signal: AbortSignal | null | undefined
}

/**
 * For each test of a file: a fixed time, an address, and a server of replies by the beginning of `METHOD /path`;
 * the longest match answers. Records every call.
 *
 * @param always sets replies for every test
 */
export function adminServer(address = '/admin', always: () => void = () => undefined) {
  const made: Made[] = []
  const replies = new Map<string, (call: Made) => Response | Promise<Response>>()
  let stream = new EventTarget()
  const fetched = vi.fn<typeof fetch>((to, request) => {
    const url = new URL(to instanceof Request ? to.url : String(to), 'http://site')
    const text = typeof request?.body === 'string' ? request.body : 'null'
    const call: Made = {
      name: `${request?.method ?? 'GET'} ${url.pathname}`,
      query: url.search,
      body: JSON.parse(text) as unknown,
      key: new Headers(request?.headers).get('idempotency-key'),
      signal: request?.signal,
    }
    made.push(call)
    const [found] = [...replies]
      .filter(([name]) => call.name.startsWith(name))
      .toSorted(([a], [b]) => b.length - a.length)
      .map(([, reply]) => reply)
    return found ? Promise.resolve(found(call)) : Promise.reject(new Error('no network'))
  })
  const begin = (): void => {
    made.length = 0
    replies.clear()
    vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z') })
    vi.stubGlobal('fetch', fetched)
    stream = new EventTarget()
    vi.stubGlobal(
      'EventSource',
      vi.fn(function source() {
        return Object.assign(stream, { close: () => undefined })
      }),
    )
    stubWideWindow()
    history.replaceState(null, '', address)
    Element.prototype.scrollIntoView = () => undefined
    always()
  }
  const end = (): void => {
    // A pending undo expires.
    if (vi.isFakeTimers()) vi.advanceTimersByTime(10_000)
    sessionStorage.clear()
    localStorage.clear()
    Reflect.deleteProperty(Element.prototype, 'scrollIntoView')
  }
  beforeEach(begin)
  afterEach(end)
  return {
    made,
    /** For several visits in one test. */
    begin,
    end,
    madeOf: (name: string) => made.filter((call) => call.name.startsWith(name)),
    /** Answers calls whose name starts with this from now on. */
    on(name: string, reply: (call: Made) => unknown): void {
      replies.set(name, async (call) => {
        const answer = await reply(call)
        return answer instanceof Response ? answer : Response.json(answer)
      })
    },
    off: (name: string) => void replies.delete(name),
    /** Sends an event on the server's stream. */
    says: (event: Event) => act(() => void stream.dispatchEvent(event)),
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

/** The providers that a screen needs. */
export function Around({ children }: { readonly children: ReactNode }) {
  const [client] = useState(
    () => new QueryClient({ defaultOptions: { queries: { retry: false } } }),
  )
  return (
    <QueryClientProvider client={client}>
      <ToastRoom>{children}</ToastRoom>
    </QueryClientProvider>
  )
}

export const show = (screen: ReactNode): void => void render(<Around>{screen}</Around>)

/** Advances the timers. */
export async function pass(ms = 50): Promise<void> {
  await act(async () => {
    await vi.advanceTimersByTimeAsync(ms)
  })
}

/** By name: replies of the server before a screen opens, and the steps there. */
export type Visits = Readonly<
  Record<string, readonly [before: readonly (() => void)[], ...(string | (() => unknown))[]]>
>

/** What visits of a screen send and show. */
export async function visitsText(
  server: ReturnType<typeof adminServer>,
  screen: ReactNode,
  visits: Visits,
  withFocus = false,
): Promise<string> {
  const texts = []
  const settle = async () => {
    await pass()
    await act(() => vi.dynamicImportSettled())
    // What is loaded again after a change.
    await pass()
  }
  const sent = () =>
    server.made
      .splice(0)
      .filter((call) => !call.name.startsWith('GET'))
      .map((call) => `${call.name} ${JSON.stringify(call.body)}`)
  for (const [name, [before, ...steps]] of Object.entries(visits)) {
    server.begin()
    vi.stubEnv('TZ', 'UTC')
    for (const set of before) set()
    show(screen)
    const text = await stepsText(steps, { settle, sent })
    // Where the focus goes depends on the speed of larger screens.
    texts.push(`# ${name}\n${withFocus ? text : text.replaceAll(/^@ .*\n/gm, '')}`)
    cleanup()
    server.end()
  }
  return `${texts.join('\n\n')}\n`
}
