import { fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { SOURCE_MESSAGES } from '#domain/claim/source-input.ts'
import { type } from '#tests/support/on-screen.ts'
import { SourceInputs, sourceValues, type SourceValues } from './source-inputs.tsx'
import { changedIn } from './values.ts'

const STORED = sourceValues([
  {
    kind: 'own',
    url: 'https://x.com/expert_a/status/1',
    date: '2024-08-08',
    archived_url: 'https://web.archive.org/web/2024/https://x.com/expert_a/status/1',
    quotation: 'Six figures.',
    speaker: 'Expert A',
    dead_since: null,
  },
  {
    kind: 'report',
    url: 'https://example.org/report',
    date: null,
    archived_url: null,
    quotation: null,
    speaker: null,
    dead_since: null,
  },
])

function rendered(faults: Record<string, string> = {}, stored: SourceValues = STORED) {
  const seen = vi.fn<(now: SourceValues) => void>()
  function Harness() {
    const [sources, setSources] = useState(stored)
    seen(sources)
    return <SourceInputs sources={sources} faults={faults} onChange={setSources} />
  }
  render(<Harness />)
  return () => seen.mock.lastCall?.[0] ?? []
}
const one = (number: number) =>
  within(screen.getByRole('group', { name: `Source ${String(number)}` }))

it('shows every stored field of each source as unchanged', () => {
  const now = rendered()
  expect(one(1).getByLabelText('Kind')).toHaveProperty('value', 'own')
  expect(one(1).getByLabelText(/^Published on/)).toHaveProperty('value', '08/08/2024')
  expect(one(1).getByLabelText(/^Quotation/)).toHaveProperty('value', 'Six figures.')
  expect(one(2).getByLabelText(/^Address of source 2/)).toHaveProperty(
    'value',
    'https://example.org/report',
  )
  expect(changedIn({ sources: STORED }, { sources: structuredClone(now()) })).toEqual({})
})

it('adds, fills in and removes a source, moving the focus', () => {
  const now = rendered()
  fireEvent.click(screen.getByRole('button', { name: 'Add a source' }))
  const address = one(3).getByLabelText(/^Address/)
  expect(document.activeElement).toBe(address)
  fireEvent.change(address, { target: { value: 'https://example.org/filing' } })
  type('Kind', 'filing', one(3))
  expect(now()[2]).toMatchObject({ url: 'https://example.org/filing', kind: 'filing' })

  fireEvent.click(screen.getByRole('button', { name: 'Remove source 1' }))
  expect(now().map(({ url }) => url)).toEqual([
    'https://example.org/report',
    'https://example.org/filing',
  ])
  expect(document.activeElement).toBe(one(1).getByLabelText(/^Address/))
  fireEvent.click(screen.getByRole('button', { name: 'Remove source 1' }))
  fireEvent.click(screen.getByRole('button', { name: 'Remove source 1' }))
  expect(now()).toEqual([])
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add a source' }))
})

it('shows faults at their field, and asks to check an archive copy again after its address changed', () => {
  const unknown = [
    { ...STORED[0], archived_url: 'https://archive.ph/abcde' } as SourceValues[number],
  ]
  const now = rendered(
    {
      'sources.0.archived_url': SOURCE_MESSAGES.unknownArchive,
      'sources.0.date': SOURCE_MESSAGES.later,
    },
    unknown,
  )
  expect(one(1).getByText(SOURCE_MESSAGES.later)).toBeTruthy()
  fireEvent.click(one(1).getByRole('checkbox', { name: /it shows the same page/ }))
  expect(now()[0]?.archive_checked).toBe(true)
  type(/^Archived copy/, 'https://archive.ph/other', one(1))
  expect(now()[0]?.archive_checked).toBe(false)
})

it('rejects secret keys', () => {
  const now = rendered()
  const key = `nsec1${'q'.repeat(58)}`
  type(/^Quotation/, `Mine: ${key}`, one(2))
  expect(now()[1]?.quotation).toBe('')
  expect(one(2).getByText(SOURCE_MESSAGES.secretKey)).toBeTruthy()
})

it('allows at most ten sources', () => {
  rendered(
    {},
    Array.from({ length: 10 }, () => STORED[1] as SourceValues[number]),
  )
  expect(screen.getByRole('button', { name: 'Add a source' })).toHaveProperty('disabled', true)
  expect(screen.getByText(SOURCE_MESSAGES.most)).toBeTruthy()
})
