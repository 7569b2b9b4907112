import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { detailOf, dryRunOf, pageOf, submission } from '#tests/support/admin-rows.ts'
import { adminServer, pass, show } from '#tests/support/admin-screens.tsx'
import { sees, seesNot, type } from '#tests/support/on-screen.ts'
import { stubWideWindow } from '#tests/support/web-fixtures.ts'
import { DashboardPage } from './dashboard-page.tsx'

const LIST = 'GET /api/v1/admin/submissions'
const DECIDE = 'PUT /api/admin/prediction_submissions/'
const [FIRST, SECOND, THIRD] = [submission(1), submission(2), submission(3)]

const server = adminServer('/admin/dashboard')

beforeEach(() => {
  server.on(`${LIST}/`, ({ name }) =>
    name.endsWith('/dry-run') ? dryRunOf() : detailOf(submission(Number(name.at(-1)))),
  )
  server.on('POST /api/v1/admin/submissions/', ({ name }) =>
    name.endsWith('/dry-run')
      ? dryRunOf()
      : { success: true, message: 'Undone', submission: FIRST },
  )
  server.on('GET /api/admin/influencers', () => [])
  server.on(LIST, () => pageOf([FIRST, SECOND, THIRD]))
  stubWideWindow()
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

it('the list keeps its rows when a refresh fails, and says they are outdated', async () => {
  await open()
  server.off(LIST)
  await pass(20_100)
  expect(screen.getByRole('row', { name: /^Expert 1/ })).toBeDefined()
  expect(screen.getByRole('alert').textContent).toContain('What you see may be out of date.')
})

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

it('a row decided by someone else is deselected', async () => {
  history.replaceState(null, '', '/admin/dashboard?tab=all')
  await open()
  await press('x', document.body)
  sees('1 selected')
  server.on(LIST, () => pageOf([{ ...FIRST, status: 'approved' }, SECOND, THIRD]))
  await pass(20_100)
  expect(screen.queryByText('1 selected')).toBeNull()
})

it('r rejects all selected rows; keys typed while the dialog closes are ignored', async () => {
  server.on('POST /api/v1/admin/submissions/bulk-reject', () => ({
    success: true,
    message: '2 rejected',
    results: [FIRST, SECOND].map(({ id }) => ({ id, ok: true, error: null })),
  }))
  await open()
  for (const key of ['x', 'j', 'x', 'r']) await press(key, document.body)
  expect(screen.getByRole('dialog', { name: 'Reject 2 submissions' })).toBeDefined()
  type('Reason', '1')
  fireEvent.click(screen.getByRole('button', { name: 'Reject 2 submissions' }))
  await pass(0)
  const dialogs = () => screen.queryAllByRole('dialog', { name: /Expert|Reject/ })
  expect(dialogs()).toEqual([])
  await press('e', document.body)
  expect(dialogs()).toEqual([])
  await pass(300)
  await press('e', document.body)
  expect(dialogs()).toHaveLength(1)
})

it('rejecting asks for a reason, is confirmed, and can be undone', async () => {
  server.on(DECIDE, () => ({ success: true, message: 'Rejected', submission: FIRST }))
  await open()
  await press('r', document.body)
  const dialog = within(screen.getByRole('dialog', { name: 'Reject this submission' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Reject' }))
  await pass()
  expect(dialog.getByText('Please give a reason.')).toBeDefined()
  expect(server.madeOf(DECIDE)).toEqual([])
  fireEvent.click(dialog.getByRole('button', { name: 'Spam or advertising' }))
  // The dialog closes even while the list is slow to load again.
  server.on(LIST, () => new Promise(() => {}))
  fireEvent.click(dialog.getByRole('button', { name: 'Reject' }))
  await pass(500)
  expect(screen.queryByRole('dialog', { name: 'Reject this submission' })).toBeNull()
  expect(server.madeOf(DECIDE).map(({ body }) => body)).toEqual([
    { status: 'rejected', admin_comment: 'Spam or advertising', version: 1 },
  ])
  expect(screen.getAllByText('Rejected (Expert 1)').length).toBeGreaterThan(0)
  fireEvent.click(screen.getByRole('button', { name: /^Undo/ }))
  await pass()
  expect(server.madeOf(`POST /api/v1/admin/submissions/${FIRST.id}/undo`)).toHaveLength(1)
})

it('rejecting does not wait until the list has loaded again after the last decision', async () => {
  server.on(DECIDE, () => ({ success: true, message: 'Rejected', submission: FIRST }))
  await open()
  server.on(LIST, () => new Promise(() => {}))
  for (const row of [FIRST, SECOND]) {
    expect(current()).toBe(row.id)
    await press('r', document.body)
    fireEvent.click(screen.getByRole('button', { name: 'Spam or advertising' }))
    fireEvent.click(screen.getByRole('button', { name: 'Reject' }))
    await pass(500)
  }
  expect(server.madeOf(DECIDE)).toHaveLength(2)
})

it('rejecting several rows names those decided before, and undoes the others', async () => {
  server.on('POST /api/v1/admin/submissions/bulk-reject', () => ({
    success: true,
    message: '2 rejected',
    results: [
      { id: FIRST.id, ok: true, error: null },
      { id: SECOND.id, ok: false, error: 'Second has approved this submission already.' },
      { id: THIRD.id, ok: true, error: null },
    ],
  }))
  await open()
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
  fireEvent.click(screen.getByRole('button', { name: 'Reject these 3' }))
  await pass()
  type('Reason', 'Spam')
  fireEvent.click(screen.getByRole('button', { name: 'Reject 3 submissions' }))
  await pass(500)
  expect(screen.getAllByText(/^2 submissions rejected\./).length).toBeGreaterThan(0)
  expect(server.made.find(({ name }) => name.endsWith('bulk-reject'))?.body).toMatchObject({
    versions: { [FIRST.id]: FIRST.version, [SECOND.id]: SECOND.version },
  })
  expect(screen.getAllByText(/Second has approved this submission already/).length).toBeGreaterThan(
    0,
  )
  fireEvent.click(screen.getByRole('button', { name: /^Undo/ }))
  await pass()
  expect(server.made.find(({ name }) => name.endsWith('bulk-undo'))?.body).toEqual({
    ids: [FIRST.id, THIRD.id],
  })
})

describe('triage', () => {
  const flagged = () => ({
    ...pageOf([FIRST, SECOND, THIRD]),
    flags: { [FIRST.id]: [], [SECOND.id]: ['link' as const], [THIRD.id]: [] },
  })

  it('prefetches the dry runs of the next rows', async () => {
    await open()
    const runs = server.made.filter(({ name }) => name.endsWith('/dry-run')).map(({ name }) => name)
    expect(runs).toEqual(
      [FIRST, SECOND, THIRD].map(({ id }) => `POST /api/v1/admin/submissions/${id}/dry-run`),
    )
  })

  it('approves unflagged rows together after a confirmation, and undoes them together', async () => {
    server.on(LIST, flagged)
    const [approve, undo] = ['bulk-approve', 'bulk-undo'].map(
      (call) => `POST /api/v1/admin/submissions/${call}`,
    )
    server.on(`${approve}`, () => ({
      success: true,
      message: '1 of 2 approved.',
      results: [
        { id: FIRST.id, ok: true, error: null },
        { id: THIRD.id, ok: false, error: 'The same is on record by now.' },
      ],
    }))
    server.on(`${undo}`, () => ({
      success: true,
      message: '1 of 1 pending again.',
      results: [{ id: FIRST.id, ok: true, error: null }],
    }))
    await open()
    await press('A', document.body)
    await pass(500)
    const dialog = within(screen.getByRole('dialog', { name: 'Approve 2 submissions' }))
    const send = dialog.getByRole('button', { name: 'Approve 2' })
    expect(document.activeElement).toBe(send)
    fireEvent.click(send)
    await pass(500)
    const bodies = (call = '') => server.madeOf(call).map(({ body }) => body)
    expect(bodies(approve)).toEqual([
      { ids: [FIRST.id, THIRD.id], versions: { [FIRST.id]: 1, [THIRD.id]: 1 } },
    ])
    expect(screen.getAllByText(/1 submission approved\./).length).toBeGreaterThan(0)
    expect(
      screen.getAllByText(/Not approved: .*The same is on record by now/).length,
    ).toBeGreaterThan(0)
    await press('z', document.body)
    expect(bodies(undo)).toEqual([{ ids: [FIRST.id] }])
  })
})
