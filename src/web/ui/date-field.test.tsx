import { fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { isAlerted } from '#tests/support/on-screen.ts'
import { DateField } from './date-field.tsx'

const changed = vi.fn<(day: string) => void>()

function Form({ first = '', onlyDays = false }: { first?: string; onlyDays?: boolean }) {
  const [day, setDay] = useState(first)
  return (
    <>
      <DateField
        label="Target date"
        value={day}
        onlyDays={onlyDays}
        onChange={(next) => {
          changed(next)
          setDay(next)
        }}
      />
      <button type="button" onClick={() => setDay('2030-01-02')}>
        Suggest
      </button>
    </>
  )
}

const field = () => screen.getByLabelText<HTMLInputElement>('Target date')

function type(text: string): void {
  fireEvent.focus(field())
  fireEvent.change(field(), { target: { value: text } })
}

it('shows dates as dd/MM/yyyy, parses input while typing, and formats it on blur', () => {
  render(<Form first="2027-12-31" />)
  expect(field().value).toBe('31/12/2027')
  type('3.4.2027')
  expect(changed).toHaveBeenLastCalledWith('2027-04-03')
  expect(field().value).toBe('3.4.2027')
  fireEvent.blur(field())
  expect(field().value).toBe('03/04/2027')
  type('')
  expect(changed).toHaveBeenLastCalledWith('')
})

it('keeps unreadable input, reports it on blur, and passes it on for forms to reject', () => {
  render(<Form />)
  type('12/31/2027')
  expect(screen.queryByRole('alert')).toBeNull()
  fireEvent.blur(field())
  isAlerted('Please enter a date such as 31/12/2027.')
  expect(field().value).toBe('12/31/2027')
  expect(changed).toHaveBeenLastCalledWith('12/31/2027')
  fireEvent.click(screen.getByRole('button', { name: 'Suggest' }))
  expect(field().value).toBe('02/01/2030')
  expect(screen.queryByRole('alert')).toBeNull()
})

it('passes only valid dates to filters, and keeps partial input', () => {
  render(<Form first="2027-12-31" onlyDays />)
  changed.mockClear()
  type('1/2/20')
  expect(changed).not.toHaveBeenCalled()
  expect(field().value).toBe('1/2/20')
  type('1/2/2027')
  expect(changed).toHaveBeenCalledWith('2027-02-01')
})
