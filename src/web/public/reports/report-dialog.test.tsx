import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { ReportDialog } from './report-dialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('a report is sent from a page without encryption, too, and sent again under the same key after a lost answer', async () => {
  // Browsers keep `randomUUID` from such pages.
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  const filed = {
    success: true,
    message: 'Thank you. This is report 7.',
    number: 7,
    path: '/reports/7',
    known: false,
    deposit: null,
  }
  const fetched = vi.fn<typeof fetch>()
  fetched.mockImplementationOnce(() => Promise.reject(new TypeError('no network')))
  fetched.mockImplementation(() => Promise.resolve(Response.json(filed)))
  const isReport = (address: unknown) => address === '/api/v1/reports'
  vi.stubGlobal('fetch', (...asked: Parameters<typeof fetch>) =>
    isReport(asked[0]) ? fetched(...asked) : Promise.reject(new TypeError('no network')),
  )
  render(
    <ReportDialog
      name="Ada Quant"
      calls={[{ id: 'ada-69k-2024', statement: 'Bitcoin at $69,000' }]}
      deposit={() => null}
      onClose={() => undefined}
    />,
  )
  const fill = (label: string, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  fill('What is wrong, and what would be right?', 'It was 68,000.')
  fill('Source', 'https://example.org/said')
  const send = () => act(async () => void fireEvent.submit(screen.getByRole('form')))
  await send()
  await send()
  expect(screen.getByText('Thank you. This is report 7.')).toBeDefined()
  const keys = fetched.mock.calls.map(([, request]) =>
    new Headers(request?.headers).get('idempotency-key'),
  )
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys).toEqual([keys[0], keys[0]])
})
