import { act, render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { button, click } from '#tests/support/on-screen.ts'
import { ThemeSwitch } from './theme-switch.tsx'

it('follows the theme that another tab stores', () => {
  const hear = (key: string, newValue: string) =>
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key, newValue })))
  render(<ThemeSwitch />)
  hear('darkMode', 'true')
  hear('another', 'false')
  click('Light mode')
  expect(localStorage.getItem('darkMode')).toBe('false')
  hear('darkMode', 'false')
  expect(button('Dark mode')).toBeDefined()
})
