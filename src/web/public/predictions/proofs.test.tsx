import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { CheckProof } from './proofs.tsx'

const button = () => screen.getByRole('button', { name: /Loading|Check/ })
const state = () => [button().textContent, button().matches(':disabled')]

it('waits for the files from this site, and accepts others when they fail to load', async () => {
  const response = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => response.promise)
  render(<CheckProof eventId="00000000-event" />)
  expect(state()).toEqual(['Loading…', true])
  response.reject(new Error('no network'))
  expect(await screen.findByText(/could not be loaded/)).toBeDefined()
  expect(state()).toEqual(['Check', false])
})

it('waits for nothing when the reader provides the files', () => {
  render(<CheckProof eventId={null} />)
  expect(state()).toEqual(['Check', false])
})
