import { act, renderHook } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { CallError } from '#web/api/call.ts'
import { useChange } from './use-change.ts'

describe('a change', () => {
  it('is sent once for two presses in a row, while changes of two rows run concurrently', async () => {
    const { result } = renderHook(() => useChange())
    const ends: (() => void)[] = []
    const work = vi.fn<() => Promise<void>>(() => new Promise((done) => void ends.push(done)))
    const { run } = result.current
    act(() => {
      for (const key of [1, 2, 1]) void run(work, key)
    })
    expect(work).toHaveBeenCalledTimes(2)
    expect([...result.current.doing]).toEqual([1, 2])
    await act(async () => ends[0]?.())
    expect([...result.current.doing]).toEqual([2])
    await act(async () => ends[1]?.())
    expect(result.current.isBusy).toBe(false)
  })

  it('shows a refusal and its fields until the next attempt', async () => {
    const onFailed = vi.fn<(error: CallError) => void>()
    const { result } = renderHook(() => useChange({ onFailed }))
    const body = {
      success: false,
      error: 'No.',
      code: 'invalid',
      fields: { notes: 'Too long.' },
    } as const
    const refuse = () => Promise.reject(new CallError('No.', 400, body))
    await act(async () => void (await result.current.run(refuse)))
    expect(result.current).toMatchObject({ message: 'No.', faults: { notes: 'Too long.' } })
    await act(async () => void (await result.current.run(() => Promise.resolve())))
    expect(result.current).toMatchObject({ message: null, faults: {} })
    expect(onFailed).toHaveBeenCalledOnce()
  })

  it('shows a sentence after an internal error', async () => {
    const { result } = renderHook(() => useChange())
    await act(async () => void (await result.current.run(() => Promise.reject(new Error('null')))))
    expect(result.current.message).toBe('Something went wrong. Please try again.')
  })
})
