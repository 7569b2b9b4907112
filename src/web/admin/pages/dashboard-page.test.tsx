import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { type SubmissionRow } from '#contracts/review.ts'
import { detailOf, dryRunOf, pageOf, submission } from '#tests/support/admin-rows.ts'
import { adminServer, pass, show, visitsText, type Visits } from '#tests/support/admin-screens.tsx'
import { sees, seesNot } from '#tests/support/on-screen.ts'
import { DashboardPage } from './dashboard-page.tsx'

const LIST = 'GET /api/v1/admin/submissions'
const DECIDE = 'PUT /api/admin/prediction_submissions/'
const [FIRST, SECOND, THIRD] = [submission(1), submission(2), submission(3)]

const server = adminServer('/admin/dashboard', () => {
  server.on(`${LIST}/`, ({ name }) => detailOf(submission(Number(name.at(-1)))))
  server.on('POST /api/v1/admin/submissions/', () => dryRunOf())
  server.on(`POST /api/v1/admin/submissions/${FIRST.id}/undo`, () => {
    return { success: true, message: 'Undone', submission: FIRST }
  })
  server.on('GET /api/admin/influencers', () => [])
  server.on(LIST, () => pageOf([FIRST, SECOND, THIRD]))
})

const lists = () =>
  server.made.filter(({ name, query }) => name === LIST && query.includes('size=50'))

async function open(): Promise<void> {
  show(<DashboardPage />)
  await pass()
}

function current(): string | null | undefined {
  return document.querySelector('[data-current]')?.getAttribute('data-row')
}

async function press(key: string, target: Element | null = document.activeElement): Promise<void> {
  fireEvent.keyDown(target ?? document.body, { key })
  await pass(100)
}

it('the list keeps tab, search, order and page in the address', async () => {
  history.replaceState(null, '', '/admin/dashboard?tab=all&q=lee&sort=target&dir=asc&after=a%2Cb')
  server.on(LIST, () => ({ ...pageOf([FIRST], 120), next: 'c,d', previous: 'a,b' }))
  await open()
  const { query } = lists().at(-1) ?? { query: '' }
  expect(Object.fromEntries(new URLSearchParams(query))).toMatchObject({
    status: 'all',
    q: 'lee',
    sort: 'target',
    dir: 'asc',
    after: 'a,b',
  })
  fireEvent.click(screen.getByRole('button', { name: 'Target Date' }))
  await pass()
  expect(location.search).toBe('?tab=all&q=lee&sort=target')
  fireEvent.click(screen.getByRole('button', { name: 'Next' }))
  await pass()
  expect(new URLSearchParams(location.search).get('after')).toBe('c,d')
  fireEvent.click(screen.getByRole('button', { name: 'Previous' }))
  await pass()
  expect(location.search).toBe('?tab=all&q=lee&sort=target&before=a%2Cb')
  history.back()
  await pass()
  expect(location.search).toContain('after=c%2Cd')
  expect(lists().at(-1)?.query).toContain('after=c%2Cd')
})

it('the list returns to the first page when every row of a page was decided meanwhile', async () => {
  history.replaceState(null, '', '/admin/dashboard?after=a%2Cb')
  server.on(LIST, ({ query }) =>
    query.includes('after') ? { ...pageOf([], 1), previous: 'a,b' } : pageOf([FIRST]),
  )
  await open()
  await pass()
  expect(screen.getByRole('row', { name: /^Expert 1/ })).toBeDefined()
  expect(location.search).toBe('')
  expect(lists().map(({ query }) => /after|before|$/.exec(query)?.[0])).toEqual(['after', ''])
})

it('the keys open, approve, reject, select, search, and list themselves', async () => {
  await open()
  await press('x', document.body)
  sees('1 selected')
  await press('/', document.body)
  expect(document.activeElement).toBe(screen.getByRole('searchbox'))
  await press('?', document.body)
  expect(screen.getByRole('dialog', { name: 'Keys' })).toBeDefined()
  await press('Escape')
  await pass(300)
  await press('Enter', document.body)
  expect(screen.getByRole('dialog', { name: /^Expert 1/ })).toBeDefined()
  expect(location.search).toContain(`open=${FIRST.id}`)
})

it('the reasons take the keys typed at once after r', async () => {
  await open()
  fireEvent.keyDown(document.body, { key: 'r' })
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Often said' }))
})

it('the keys do nothing while typing', async () => {
  await open()
  const search = screen.getByRole('searchbox')
  search.focus()
  for (const key of ['j', 'a', 'r', 'x', '?']) await press(key, search)
  expect(current()).toBe(FIRST.id)
  expect(screen.queryByRole('dialog', { name: 'Reject this submission' })).toBeNull()
  seesNot('1 selected')
})

it('the keys stay on the row while the list changes', async () => {
  await open()
  await press('j', document.body)
  expect(current()).toBe(SECOND.id)
  server.on(LIST, () => pageOf([submission(9), FIRST, SECOND, THIRD]))
  await pass(20_100)
  expect(current()).toBe(SECOND.id)
  server.on(LIST, () => pageOf([submission(9), FIRST, THIRD]))
  await pass(20_100)
  expect(current()).toBe(THIRD.id)
  expect(document.activeElement?.getAttribute('data-row')).toBe(THIRD.id)
})

it('the list prefetches the dry runs of the next rows', async () => {
  await open()
  const runs = server.made.filter(({ name }) => name.endsWith('/dry-run')).map(({ name }) => name)
  expect(runs).toEqual(
    [FIRST, SECOND, THIRD].map(({ id }) => `POST /api/v1/admin/submissions/${id}/dry-run`),
  )
})

const ok = ({ id }: SubmissionRow) => ({ id, ok: true, error: null })
const failed = ({ id }: SubmissionRow, error: string) => ({ id, ok: false, error })
/** Answers a call about these rows, and no others. */
const many = (call: string, ...results: readonly Pick<SubmissionRow, 'id'>[]) => {
  return () =>
    server.on(`POST /api/v1/admin/submissions/${call}`, ({ body }) => {
      expect(body).toMatchObject({ ids: results.map(({ id }) => id) })
      return { success: true, message: '', results }
    })
}
const rejects = () =>
  server.on(DECIDE, () => ({ success: true, message: 'Rejected', submission: FIRST }))
const isSlow = () => server.on(LIST, () => new Promise(() => undefined))
const tab = (search: string) => () => history.replaceState(null, '', `/admin/dashboard${search}`)
const key = (name: string) => () => press(name, document.body)
const keys = (...names: readonly string[]) => names.map(key)
const flags = { [FIRST.id]: [], [SECOND.id]: ['link' as const], [THIRD.id]: [] }

const VISITS: Visits = {
  'a list that cannot be loaded again': [[], () => server.off(LIST), () => pass(20_100)],
  'a selected row that someone else decides': [
    [tab('?tab=all')],
    key('x'),
    () => server.on(LIST, () => pageOf([{ ...FIRST, status: 'approved' }, SECOND, THIRD])),
    () => pass(20_100),
  ],
  'keys that are typed while the dialog closes, after two rejections': [
    [many('bulk-reject', ok(FIRST), ok(SECOND))],
    ...keys('x', 'j', 'x', 'r'),
    'Reason = 1',
    'Reject 2 submissions',
    ...keys('e'),
    () => pass(300),
    ...keys('e'),
  ],
  // Everything closes even while the list is slow to load again.
  'two rejections, of which one is undone': [
    [rejects],
    key('r'),
    'Reject',
    '1 Spam',
    isSlow,
    'Reject',
    () => pass(500),
    'Undo',
    key('r'),
    '1 Spam',
    'Reject',
  ],
  'three rejections, of which one is too late, undone': [
    [
      many(
        'bulk-reject',
        ok(FIRST),
        failed(SECOND, 'Second has approved this submission already.'),
        ok(THIRD),
      ),
      many('bulk-undo', ok(FIRST), ok(THIRD)),
    ],
    ...keys('x', 'j', 'x', 'j', 'x'),
    'Reject these 3',
    'Reason = Spam',
    'Reject 3 submissions',
    () => pass(500),
    'Undo',
  ],
  'approvals of rows without flags, undone by a key': [
    [
      () => server.on(LIST, () => ({ ...pageOf([FIRST, SECOND, THIRD]), flags })),
      many('bulk-approve', ok(FIRST), failed(THIRD, 'The same is on record by now.')),
      many('bulk-undo', ok(FIRST)),
    ],
    key('A'),
    () => expect(document.activeElement?.textContent).toBe('Approve 2'),
    'Approve 2',
    () => pass(500),
    key('z'),
  ],
}

it('the dashboard has its stored texts', async () => {
  const file = '../../../../tests/texts/submissions.txt'
  await expect(await visitsText(server, <DashboardPage />, VISITS)).toMatchFileSnapshot(file)
})
