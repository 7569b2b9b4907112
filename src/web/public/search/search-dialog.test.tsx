import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SearchDialog } from './search-dialog.tsx'

const row = (name: string) => ({ path: `#${name}`, title: name, text: '', outcome: null })
const FOUND = {
  groups: [
    { title: 'People', total: 12, found: [row('Ada'), row('Bob')] },
    { title: 'Predictions', total: 1, found: [row('150k')] },
  ],
}

let asked: string[]
let answers: ((answer: Response) => void)[]
let followed: (string | null)[]
const note = (event: MouseEvent): void => {
  event.preventDefault()
  if (event.target instanceof HTMLAnchorElement) followed.push(event.target.getAttribute('href'))
}

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  answers = []
  followed = []
  document.addEventListener('click', note)
  Element.prototype.scrollIntoView = () => undefined
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>((url, init) => {
      asked.push(new URL(String(url as string), 'http://site').searchParams.get('q') ?? '')
      return new Promise((done, fail) => {
        answers.push(done)
        init?.signal?.addEventListener('abort', () => fail(new Error('aborted')))
      })
    }),
  )
  render(<SearchDialog onClose={() => undefined} />)
})
afterEach(() => {
  cleanup()
  Reflect.deleteProperty(Element.prototype, 'scrollIntoView')
  document.removeEventListener('click', note)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const pass = (ms = 200) => act(() => vi.advanceTimersByTimeAsync(ms))
const input = () => screen.getByRole('combobox')
const type = (value: string) => fireEvent.change(input(), { target: { value } })
const press = (key: string) => fireEvent.keyDown(input(), { key })
async function answer(body: object, status = 200): Promise<void> {
  answers.at(-1)?.(Response.json(body, { status }))
  await pass(0)
}
const chosen = () =>
  screen
    .getAllByRole('option')
    .flatMap((one) =>
      one.getAttribute('aria-selected') === 'true' ? [one.id, one.textContent] : [],
    )

it('the arrows go round all rows, Enter follows the chosen one, and other results begin with their first row', async () => {
  type('a')
  await pass()
  await answer(FOUND)
  expect(screen.getByText('People (2 of 12)')).toBeDefined()
  expect(screen.getByRole('status').textContent).toBe('13 results for “a”.')
  expect(chosen()[1]).toBe('Ada')
  press('ArrowUp')
  expect(chosen()[1]).toBe('150k')
  press('ArrowDown')
  press('ArrowDown')
  expect(chosen()).toEqual([input().getAttribute('aria-activedescendant'), 'Bob'])
  press('Enter')
  expect(followed).toEqual(['#Bob'])
  type('ad')
  await pass()
  await answer(FOUND)
  expect(chosen()[1]).toBe('Ada')
})

it('Enter before the answer follows the first row once it is there, unless more is typed', async () => {
  type('a')
  await pass()
  await answer(FOUND)
  type('ab')
  press('Enter')
  expect(followed).toEqual([])
  type('abc')
  await pass()
  await answer(FOUND)
  expect(followed).toEqual([])
  type('abcd')
  press('Enter')
  await pass()
  await answer(FOUND)
  expect(followed).toEqual(['#Ada'])
})

it('the server is asked once typing pauses, again after a failure, and an answer that comes late counts no more', async () => {
  type('a')
  await pass(100)
  type('ad ')
  await pass()
  expect(asked).toEqual(['ad'])
  await answer({ success: false, code: 'unavailable', error: 'Wait a moment.' }, 503)
  expect(screen.getByRole('alert').textContent).toContain('Wait a moment.')
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await pass()
  expect(asked).toEqual(['ad', 'ad'])
  expect(screen.queryByRole('alert')).toBeNull()
  type('zz')
  await pass()
  await answer({ groups: [] })
  expect(screen.getByRole('status').textContent).toBe('Nothing found for “zz”.')
  type('')
  await pass()
  expect([screen.queryAllByRole('option').length, asked.length]).toEqual([0, 3])
})
