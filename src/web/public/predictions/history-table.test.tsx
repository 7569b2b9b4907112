import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { OPENING_HISTORY } from '#domain/listing/history-view.ts'
import { HistoryTable } from './history-table.tsx'

it('a change between calls and years returns to the first page', () => {
  const onView = vi.fn<(view: object) => void>()
  const view = { ...OPENING_HISTORY, page: 2 }
  const part = { page: 2, total: 300, rows: [], hasLuck: false, made: [], due: [], years: [] }
  const rest = { isEmpty: false, empty: '', onOpen: () => {}, onWholePage: () => {} }
  render(<HistoryTable {...{ ...rest, part, view, onView }} mode="touch" />)
  fireEvent.click(screen.getByRole('button', { name: 'By year' }))
  expect(onView).toHaveBeenCalledWith({ ...view, byYear: true, page: 0 })
})
