import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pass, refusal, show, stubServer } from '#web/admin/review/testing.tsx'
import { ExpertView } from './expert-view.tsx'
import { ExpertsList } from './experts-list.tsx'

const URL = '/api/v1/admin/experts'
const person = (id: number, name: string, more: object = {}) => ({
  id,
  name,
  slug: name.toLowerCase().replaceAll(' ', '-'),
  is_firm: false,
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

let server: ReturnType<typeof stubServer>

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z') })
  history.replaceState(null, '', '/admin/experts')
  server = stubServer()
  server.on(`GET ${URL}`, () => ({ total: 2, page: 1, pages: 1, rows: [A, B] }))
  server.on(`GET ${URL}/1`, () => ({ ...A, merged_into: null, named_npubs: [NAMED] }))
  server.on(`GET ${URL}/2`, () => ({ ...B, merged_into: null, named_npubs: [] }))
  server.on('GET /api/v1/admin/expert-duplicates', () => ({
    pairs: [{ first: A, second: B, why: 'The same letters.' }],
  }))
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function open(into: number | null, onOpen: (id: number) => void = () => undefined) {
  show(<ExpertView id={1} into={into} onBack={() => undefined} onOpen={onOpen} />)
  await pass()
}

describe('a person on screen', () => {
  it('a person on screen sends names and handles as lines, and says whose a name is already', async () => {
    server.on(`PUT ${URL}/1`, () =>
      refusal(409, 'conflict', '“Tom” means Tom Lee already.', { aliases: 'Tom is taken' }),
    )
    await open(null)
    fireEvent.change(screen.getByLabelText(/^Other names/), { target: { value: 'Pomp\n\n Tom ' } })
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Anthony Q' } })
    expect(screen.getByText(/“Anthony P” stays known/)).toBeDefined()
    expect(screen.getByText(/not confirmed: npub1named/)).toBeDefined()
    fireEvent.change(screen.getByLabelText(/^Confirmed Nostr keys/), {
      target: { value: 'npub1other' },
    })
    fireEvent.click(screen.getByLabelText(/^@pomp, which a submission named, is theirs/))
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await pass()
    expect(server.madeOf('PUT')[0]?.body).toEqual({
      version: 2,
      name: 'Anthony Q',
      aliases: ['Pomp', 'Tom'],
      handles: ['@pomp'],
      confirm_handles: ['pomp'],
      npubs: ['npub1other'],
      is_firm: false,
      reason: '',
    })
    expect(screen.getByText('“Tom” means Tom Lee already.')).toBeDefined()
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Anthony Q')
  })

  it('a person on screen says what a merge will do before it is done', async () => {
    server.on(`POST ${URL}/1/merge`, () => ({
      success: true,
      message: 'Merged into Anthony Pompliano.',
      expert: B,
      moved: { predictions: 1, submissions: 0, names: 2 },
      said_twice: [],
    }))
    const opened = vi.fn<(id: number) => void>()
    await open(2, opened)
    await pass()
    expect(screen.getByText(/go to/).textContent).toBe(
      'All 1 prediction of Anthony P go to Anthony Pompliano (2 predictions now), with all names and handles. The page of Anthony P leads there from now on. This cannot be undone.',
    )
    fireEvent.click(screen.getByRole('button', { name: 'Merge into Anthony Pompliano' }))
    await pass()
    expect(server.madeOf('POST')[0]?.body).toEqual({ version: 2, into: 2, reason: '' })
    expect(opened).toHaveBeenCalledWith(2)
  })

  it('a person on screen can be merged into any other that is found, not into itself', async () => {
    await open(null)
    fireEvent.change(screen.getByLabelText('Search whom to merge into'), {
      target: { value: 'Anthony' },
    })
    await pass(1_000)
    await pass()
    const found = screen.getAllByRole('listitem').map((item) => item.textContent)
    expect(found).toEqual(['Anthony Pompliano 2 predictions'])
    fireEvent.click(screen.getByRole('button', { name: 'Anthony Pompliano' }))
    await pass()
    expect(screen.getByRole('button', { name: 'Merge into Anthony Pompliano' })).toBeDefined()
  })

  it('a merged person leads to who it is now', async () => {
    server.on(`GET ${URL}/1`, () => ({ ...A, merged_into: 2, named_npubs: [] }))
    const opened = vi.fn<(id: number) => void>()
    await open(null, opened)
    fireEvent.click(screen.getByRole('button', { name: 'Show who it is now' }))
    expect(opened).toHaveBeenCalledWith(2)
  })
})

describe('the list of people', () => {
  it('the list of people offers to merge who may be the same, the one with fewer predictions into the other', async () => {
    const opened = vi.fn<(id: number, into?: number) => void>()
    show(<ExpertsList onOpen={opened} />)
    await pass()
    fireEvent.click(screen.getByRole('button', { name: 'Check and merge' }))
    expect(opened).toHaveBeenCalledWith(1, 2)
  })
})
