import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { pass, refusal } from '#tests/support/admin-screens.tsx'
import { isAlerted, press, sees } from '#tests/support/on-screen.ts'
import { SITE } from '#tests/support/web-fixtures.ts'
import { SiteContext } from '#web/head/site.ts'
import { SuccessStep } from './success-step.tsx'

const TOKEN = 'a-receipt-token-of-the-test'
const onClose = vi.fn<() => void>()
const fetched = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.clearAllMocks()
  vi.stubGlobal('fetch', fetched)
  render(
    <SiteContext value={SITE}>
      <SuccessStep token={TOKEN} options={null} email="me@example.org" onClose={onClose} />
    </SiteContext>,
  )
})

it('sends the contact, thanks, and closes after 1.5 seconds', async () => {
  const contact = { kind: 'email', shown: 'm…@example.org', confirmed: false }
  fetched.mockResolvedValue(Response.json({ contact }))
  await press('Notify Me!')
  const [address, request] = fetched.mock.calls[0] ?? []
  expect(address).toBe(`/api/v1/receipts/${TOKEN}/contact`)
  expect(request?.body).toBe('{"contact":"me@example.org"}')
  sees('Thanks! Please confirm with the link in the mail to m…@example.org.')
  expect(onClose).not.toHaveBeenCalled()
  await pass(1_500)
  expect(onClose).toHaveBeenCalledOnce()
})

it('shows why a contact was refused, until it is edited', async () => {
  const fields = { contact: 'Please enter a valid email address.' }
  fetched.mockResolvedValue(refusal(400, 'invalid', 'No.', fields))
  await press('Notify Me!')
  isAlerted('Please enter a valid email address.')
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'x' } })
  expect(screen.queryByRole('alert')).toBeNull()
})

it('closes immediately on Skip without sending', async () => {
  await press('Skip')
  expect(onClose).toHaveBeenCalledOnce()
  expect(fetched).not.toHaveBeenCalled()
})

it('rejects and clears a secret key before sending', async () => {
  const box = screen.getByRole<HTMLInputElement>('textbox')
  const nsec = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5'
  fireEvent.change(box, { target: { value: nsec } })
  await press('Notify Me!')
  isAlerted(/secret key/)
  expect(box.value).toBe('')
  expect(fetched).not.toHaveBeenCalled()
})
