import { act, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { noteAnswer, watchReach } from '#web/api/reach.ts'
import { UPDATE_READY } from '#web/worker/register.ts'
import { UpdateNotice } from './update-notice.tsx'

describe('the notice at the foot of the window', () => {
  it('is hidden when all is well', () => {
    const { container } = render(<UpdateNotice />)
    expect(container.childElementCount).toBe(0)
  })

  it('offers a new version of the site', () => {
    render(<UpdateNotice />)
    act(() => {
      window.dispatchEvent(new Event(UPDATE_READY))
    })
    expect(screen.getByRole('status').textContent).toContain('A new version of the site is ready.')
    expect(screen.getByRole('button', { name: 'Update' })).toBeDefined()
  })

  it('shows the time of outdated content', () => {
    watchReach()
    render(<UpdateNotice />)
    act(() => noteAnswer(new Headers({ 'x-kept-since': '2026-11-20T14:05:59.000Z' })))
    expect(screen.getByRole('status').textContent).toBe(
      'You are offline, or the site cannot be reached. Prices and verdicts are as of 20/11/2026 14:05 UTC.',
    )
  })
})
