// @vitest-environment jsdom
import { transferableAbortController } from 'node:util'
import { cleanup, act } from '@testing-library/react'
import { createElement } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { show } from '#tests/support/admin-screens.tsx'
import { fullSite } from '#tests/support/full-site.ts'
import { onceForFile } from '#tests/support/once-for-file.ts'
import { linesOf, plain } from '#tests/support/readable.ts'
import { stubWideWindow } from '#tests/support/web-fixtures.ts'
import { AdminApp } from '#web/admin/admin-app.tsx'
import { GROUPS } from '#web/admin/screens.ts'

const site = onceForFile(() => {
  // The server needs those of Node.
  const { constructor, signal } = transferableAbortController()
  vi.stubGlobal('AbortController', constructor)
  vi.stubGlobal('AbortSignal', signal.constructor)
  vi.stubGlobal('Uint8Array', Object.getPrototypeOf(Buffer))
  vi.stubGlobal('ArrayBuffer', Buffer.from('').buffer.constructor)
  return fullSite()
})
afterEach(cleanup)

let open = 0
/** Calls of a screen, answered by the site for its administrator. */
async function answer(url: string, { method, body, headers }: RequestInit = {}): Promise<Response> {
  open += 1
  const { admin, app } = site()
  const sent = await app.inject({
    method: method as 'GET',
    url,
    headers: { ...(headers as Record<string, string>), ...admin.headers },
    remoteAddress: admin.remoteAddress,
    payload: body as string,
  })
  open -= 1
  if (sent.statusCode > 299) throw new Error(`${url}: ${sent.body}`)
  const type = String(sent.headers['content-type'])
  return new Response(sent.body, { headers: { 'content-type': type } })
}

/** What an administrator sees at an address once everything is loaded. */
async function seen(address: string): Promise<string> {
  history.replaceState(null, '', address)
  show(createElement(AdminApp))
  for (let quiet = 0; quiet < 10; quiet += 1) {
    await act(() => new Promise((done) => void setTimeout(done, 15)))
    if (open > 0 || document.body.innerHTML.includes('Loading')) quiet = 0
  }
  const html = document.body.innerHTML.replace(/[^]*(?=<main\b)/, '')
  cleanup()
  return plain(`# ${address}\n${linesOf(html)}`).replaceAll(/\n.*"Notifications"\]/g, '')
}

it('the screens of administrators have their stored texts', async () => {
  stubWideWindow()
  vi.stubEnv('TZ', 'UTC')
  const silence = () => Object.assign(new EventTarget(), { close: () => undefined })
  vi.stubGlobal(
    'EventSource',
    vi.fn(function source() {
      return silence()
    }),
  )
  vi.stubGlobal('fetch', answer)
  const texts = []
  localStorage.setItem('adminLoggedIn', 'true')
  localStorage.setItem('adminUsername', 'Admin A')
  const rows = await site().sql('select id from submissions order by created_at')
  const opened = [
    `dashboard?open=${rows[0]?.id}`,
    'predictions?open=mended',
    'experts?open=4',
    'reports?open=3',
  ]
  const screens = GROUPS.flatMap(({ screens }) => screens.map(({ to }) => to))
  for (const address of [...screens, ...opened.map((to) => `/admin/${to}`)])
    texts.push(await seen(address))
  await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot('../texts/administrators.txt')
})
