import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { adminServer, pass, show } from '#tests/support/admin-screens.tsx'
import { click, press, type } from '#tests/support/on-screen.ts'
import { ExpertsView } from './experts-view.tsx'

const URL = '/api/v1/admin/experts'
const person = (id: number, name: string, more: object = {}) => ({
  id,
  name,
  slug: name.toLowerCase().replaceAll(' ', '-'),
  is_firm: false,
  firm: null,
  aliases: ['Pomp'],
  handles: ['pomp'],
  unconfirmed_handles: ['pomp'],
  npubs: [],
  old_slugs: [],
  predictions: id,
  version: 2,
  ...more,
})
const NAMED = { npub: 'npub1named', prediction_id: 'a' }
const A = person(1, 'Anthony P')
const B = person(2, 'Anthony Pompliano')

const server = adminServer('/admin/experts')

beforeEach(() => {
  server.on(`GET ${URL}`, () => ({ total: 2, page: 1, pages: 1, rows: [A, B] }))
  server.on(`GET ${URL}/1`, () => ({ ...A, merged_into: null, named_npubs: [NAMED] }))
  server.on(`GET ${URL}/2`, () => ({ ...B, merged_into: null, named_npubs: [] }))
  server.on('GET /api/v1/admin/expert-duplicates', () => ({
    pairs: [{ first: A, second: B, why: 'The same letters.' }],
  }))
})

async function open(search = '?open=1') {
  history.replaceState(null, '', `/admin/experts${search}`)
  show(<ExpertsView />)
  await pass()
}
const opened = () => location.search

it('saves a person with names as lines and the ticked handles', async () => {
  server.on(`PUT ${URL}/1`, () => ({ success: true, message: 'Saved.', expert: A }))
  await open()
  type(/^Other names/, 'Pomp\n\n Tom ')
  fireEvent.click(screen.getByLabelText(/^@pomp, named in a submission, is confirmed as theirs/))
  await press('Save')
  const saved = { version: 2, aliases: ['Pomp', 'Tom'], confirm_handles: ['pomp'] }
  expect(server.madeOf('PUT')[0]?.body).toMatchObject(saved)
})

it('previews a merge before it is done', async () => {
  server.on(`POST ${URL}/1/merge`, () => ({
    success: true,
    message: 'Merged into Anthony Pompliano.',
    expert: B,
    moved: { predictions: 1, submissions: 0, names: 2 },
    said_twice: [],
  }))
  await open('?open=1&into=2')
  await pass()
  expect(screen.getByText(/go to/).textContent).toBe(
    'All 1 prediction of Anthony P go to Anthony Pompliano (2 predictions now), with all names and handles. The page of Anthony P leads there from now on. This cannot be undone.',
  )
  await press('Merge into Anthony Pompliano')
  expect(server.madeOf('POST')[0]?.body).toEqual({ version: 2, into: 2, reason: '' })
  expect(opened()).toBe('?open=2')
})

it('links a merged person to the remaining one', async () => {
  server.on(`GET ${URL}/1`, () => ({ ...A, merged_into: 2, named_npubs: [] }))
  await open()
  click('Show the merged person')
  expect(opened()).toBe('?open=2')
})

it('suggests merging duplicates into the person with more predictions', async () => {
  await open('')
  click('Check and merge')
  expect(opened()).toBe('?open=1&into=2')
})
