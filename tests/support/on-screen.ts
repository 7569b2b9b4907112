import { fireEvent, screen, within } from '@testing-library/react'
import { expect } from 'vitest'
import { pass } from './admin-screens.tsx'

/** A name or text; a string matches as a whole. */
type Name = string | RegExp
/** Where to look: the page, or a part of it. */
type Part = Pick<
  typeof screen,
  'getByRole' | 'queryByRole' | 'getAllByRole' | 'getByLabelText' | 'getByText' | 'queryByText'
>

export const button = (name: Name, on: Part = screen): HTMLButtonElement =>
  on.getByRole('button', { name })

export const region = (name: Name): Part => within(screen.getByRole('region', { name }))

export const click = (name: Name, on: Part = screen): void => void fireEvent.click(button(name, on))

/** Clicks a button and advances the timers. */
export async function press(name: Name, on: Part = screen, ms = 50): Promise<void> {
  click(name, on)
  await pass(ms)
}

export function type(label: Name, value: string, on: Part = screen): void {
  fireEvent.change(on.getByLabelText(label), { target: { value } })
}

export const valueOf = (label: Name, on: Part = screen): string =>
  on.getByLabelText<HTMLInputElement>(label).value

/** Expects each of these texts once. */
export function sees(...texts: readonly Name[]): void {
  for (const text of texts) expect(screen.getByText(text)).toBeDefined()
}

export function seesNot(...texts: readonly Name[]): void {
  for (const text of texts) expect(screen.queryByText(text)).toBeNull()
}

/** Expects the only alert of the page. */
export function isAlerted(text: Name): void {
  const said = screen.getByRole('alert').textContent
  if (typeof text === 'string') expect(said).toBe(text)
  else expect(said).toMatch(text)
}

export const hrefOf = (name: Name): string | null =>
  screen.getByRole('link', { name }).getAttribute('href')
