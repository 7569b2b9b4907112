import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { adminServer, pass, show } from '#tests/support/admin-screens.tsx'
import { press, type } from '#tests/support/on-screen.ts'
import { stubWideWindow } from '#tests/support/web-fixtures.ts'
import { agentText } from './account-view.tsx'
import { AccountsView } from './accounts-view.tsx'

const URL = 'GET /api/v1/admin/accounts'
const ADA = {
  id: 1,
  username: 'ada',
  role: 'administrator',
  own: true,
  second_factor: true,
  from_environment: false,
  created_at: '2026-11-01T10:00:00.000Z',
  disabled_at: null,
  link_expires_at: null,
  sessions: 2,
  tokens: 1,
  seen_at: '2026-11-20T11:00:00.000Z',
}
const BOB = { ...ADA, id: 2, username: 'bob', role: 'reviewer', own: false, second_factor: false }
const ME = {
  username: 'ada',
  role: 'administrator',
  second_factor: true,
  recovery_codes: 10,
  from_environment: false,
  passkeys: [],
  sessions: [],
  tokens: [],
}
const LINK = { path: '/admin/password#abc', expires_at: '2026-11-23T12:00:00.000Z' }

const server = adminServer()

const accounts = (...rows: object[]) => ({ now: '2026-11-20T12:00:00.000Z', accounts: rows })

beforeEach(() => {
  vi.stubEnv('TZ', 'UTC')
  stubWideWindow()
  server.on(URL, () => accounts(ADA, BOB))
  server.on('GET /api/v1/admin/me', () => ME)
})

it.each([
  [{}, 'can sign in'],
  [{ sessions: 2, tokens: 1 }, '2 browsers, 1 token'],
  [{ disabled_at: '2026-11-19T12:00:00.000Z' }, /^disabled on 19\/11\/2026/],
  [{ link_expires_at: LINK.expires_at }, /^has to choose a password by 23\/11\/2026/],
  [{ link_expires_at: '2026-11-20T11:59:00.000Z' }, 'the link for a password has expired'],
])('the account list shows the state of %j', async (input, text) => {
  server.on(URL, () => accounts({ ...BOB, ...input }))
  show(<AccountsView />)
  await pass()
  expect(screen.getByText(text)).toBeDefined()
})

it('the account list makes a link that also removes a lost authenticator app', async () => {
  server.on(URL, () => accounts(ADA, { ...BOB, second_factor: true }))
  const path = 'POST /api/v1/admin/accounts/2/link'
  server.on(path, () => ({ success: true, message: 'Done.', link: LINK }))
  show(<AccountsView />)
  await pass()
  await press('New password: bob')
  const dialog = within(screen.getByRole('dialog'))
  fireEvent.click(dialog.getByLabelText(/^Remove the authenticator app/))
  type('Your password', 'the password', dialog)
  type('Code', '123456', dialog)
  await press('Make the link', dialog)
  const body = { password: 'the password', drop_second_factor: true }
  expect(server.madeOf('POST')).toMatchObject([{ name: path, body }])
})

const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15'
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko)'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'

it.each([
  [`${MAC} Version/18.1 Safari/605.1.15`, 'Safari on macOS'],
  [`${MAC} Chrome/142.0.0.0 Safari/537.36`, 'Chrome on macOS'],
  [`${PHONE} Version/18.1 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [`${PHONE} CriOS/142.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
  [`${ANDROID} Chrome/142.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [
    `${ANDROID} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [`${WINDOWS} AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36 Edg/142.0`, 'Edge on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
  ['curl/8.9.1', 'curl/8.9.1'],
  ['', 'Unknown'],
  ['x'.repeat(50), `${'x'.repeat(40)}…`],
])('names the browser %s', (agent, text) => {
  expect(agentText(agent)).toBe(text)
})
