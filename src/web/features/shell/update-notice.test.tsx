import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { UPDATE_READY } from '#web/worker/register.ts'
import { UpdateNotice } from './update-notice.tsx'

const online = vi.spyOn(navigator, 'onLine', 'get')

beforeEach(() => {
  online.mockReturnValue(true)
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 20, 14, 5) })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  localStorage.clear()
})

describe('the notice at the foot of the window', () => {
  it('is silent while all is well', () => {
    const { container } = render(<UpdateNotice />)
    expect(container.childElementCount).toBe(0)
  })

  it('offers a newer version of the site', () => {
    render(<UpdateNotice />)
    act(() => {
      window.dispatchEvent(new Event(UPDATE_READY))
    })
    expect(screen.getByRole('status').textContent).toContain('A new version of the site is ready.')
    expect(screen.getByRole('button', { name: 'Update' })).toBeDefined()
  })

  it('says offline as of when the page last came from the server', () => {
    render(<UpdateNotice />)
    vi.setSystemTime(Date.UTC(2026, 10, 21, 9, 0))
    online.mockReturnValue(false)
    fireEvent(window, new Event('offline'))
    expect(screen.getByRole('status').textContent).toContain('as of 20/11/2026 14:05 UTC')
  })
})
