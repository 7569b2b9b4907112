import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { ConfirmAddress } from './letter-pages.tsx'

const fetched = vi.fn<typeof fetch>()

afterEach(() => {
  vi.clearAllMocks()
})

function show(reply: object, status = 200): void {
  vi.stubGlobal('fetch', fetched)
  fetched.mockImplementation(() => Promise.resolve(Response.json(reply, { status })))
  render(<ConfirmAddress token="a-token-of-the-test-mail" />)
}

it('an address is confirmed only by a press', async () => {
  show({ confirmed: true, shown: 'm…@example.org' })
  expect(fetched).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: 'Yes, write to me' }))
  expect((await screen.findByRole('status')).textContent).toContain(
    'We will write to m…@example.org',
  )
  expect(fetched.mock.calls[0]?.[0]).toBe('/api/v1/mail/a-token-of-the-test-mail/confirm')
})

it('a refusal is permanent', async () => {
  show({ refused: true })
  fireEvent.click(screen.getByRole('button', { name: 'No, never write to me' }))
  expect((await screen.findByRole('status')).textContent).toContain('will not write')
  expect(fetched.mock.calls[0]?.[0]).toBe('/api/v1/mail/a-token-of-the-test-mail/refuse')
})

it('an invalid link is explained', async () => {
  show({ success: false, code: 'not_found', error: 'This link has expired.' }, 404)
  fireEvent.click(screen.getByRole('button', { name: 'Yes, write to me' }))
  expect((await screen.findByRole('alert')).textContent).toBe('This link has expired.')
})
