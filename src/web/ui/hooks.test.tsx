import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useAnswer } from './hooks.ts'

it('an answer stays until that of the next key, and one that comes too late is dropped', async () => {
  const asked = new Map<string, PromiseWithResolvers<string>>()
  const ask = (key: string) => {
    const answer = Promise.withResolvers<string>()
    asked.set(key, answer)
    return answer.promise
  }
  const initialProps: { key: string | null } = { key: null }
  const { result, rerender } = renderHook(({ key }) => useAnswer(key, () => ask(String(key))), {
    initialProps,
  })
  expect(asked.size).toBe(0)
  rerender({ key: 'a' })
  await act(async () => asked.get('a')?.resolve('A'))
  rerender({ key: 'b' })
  rerender({ key: 'c' })
  expect(result.current.data).toBe('A')
  await act(async () => asked.get('c')?.reject(new Error('away')))
  expect(result.current).toMatchObject({ data: 'A', error: { message: 'away' } })
  await act(async () => asked.get('b')?.resolve('B'))
  expect(result.current.data).toBe('A')
  const again = result.current.refetch()
  asked.get('c')?.resolve('C')
  await act(() => again)
  expect(result.current).toMatchObject({ data: 'C', error: null })
})
