import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { submission } from './testing.tsx'
import { useSelection } from './use-selection.ts'

it('what another administrator decides meanwhile is not chosen any more, what is on another page still is', () => {
  const [first, second, elsewhere] = [submission(1), submission(2), submission(3)]
  const { result, rerender } = renderHook(useSelection, { initialProps: [elsewhere] })
  const chosen = () => [...result.current.selected.keys()]
  act(() => result.current.selectAll(true))
  rerender([first, second])
  act(() => result.current.selectAll(true))
  expect(chosen()).toEqual([elsewhere.id, first.id, second.id])

  const decided = submission(2, { status: 'approved' })
  rerender([first, decided])
  expect(chosen()).toEqual([elsewhere.id, first.id])
  act(() => result.current.select(decided))
  act(() => result.current.select(first))
  expect(chosen()).toEqual([elsewhere.id])
})
