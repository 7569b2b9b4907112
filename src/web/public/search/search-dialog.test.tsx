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

let answer: () => Promise<void>
let followed: (string | null)[]
const note = ({ target }: MouseEvent): void => {
  if (target instanceof HTMLAnchorElement) followed.push(target.getAttribute('href'))
}

beforeEach(() => {
  vi.useFakeTimers()
  followed = []
  document.addEventListener('click', note)
  Element.prototype.scrollIntoView = () => undefined
  vi.stubGlobal('fetch', () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    answer = async () => {
      resolve(Response.json(FOUND))
      await pass(0)
    }
    return promise
  })
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
const chosen = () => screen.getByRole('option', { selected: true })

it('the arrows go round all rows, Enter follows the chosen one, and other results begin with their first row', async () => {
  type('a')
  await pass()
  await answer()
  expect(screen.getByText('People (2 of 12)')).toBeDefined()
  expect(screen.getByRole('status').textContent).toBe('13 results for “a”.')
  expect(chosen().textContent).toBe('Ada')
  press('ArrowUp')
  expect(chosen().textContent).toBe('150k')
  for (const key of ['ArrowDown', 'ArrowDown']) press(key)
  press('Enter')
  type('ab')
  await pass()
  await answer()
  expect([followed, chosen().textContent]).toEqual([['#Bob'], 'Ada'])
})

it('Enter before the answer follows its first row once it is there, unless more is typed', async () => {
  type('a')
  await pass()
  await answer()
  type('ab')
  press('Enter')
  type('abc')
  await pass()
  await answer()
  expect(followed).toEqual([])
  type('abcd')
  press('Enter')
  await pass()
  await answer()
  expect(followed).toEqual(['#Ada'])
})
