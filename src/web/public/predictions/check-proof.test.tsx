import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { CheckProof } from './check-proof.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const button = () => screen.getByRole('button', { name: /Loading|Check/ })
const state = () => [button().textContent, button().matches(':disabled')]

it('a check waits for the files of this site, and takes others where these cannot be had', async () => {
  const asked = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => asked.promise)
  render(<CheckProof eventId="00000000-event" />)
  expect(state()).toEqual(['Loading…', true])
  asked.reject(new Error('no network'))
  expect(await screen.findByText(/could not be loaded/)).toBeDefined()
  expect(state()).toEqual(['Check', false])
})

it('a check of files that the reader chooses waits for nothing', () => {
  render(<CheckProof eventId={null} />)
  expect(state()).toEqual(['Check', false])
})
