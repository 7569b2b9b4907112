import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { sourceOfRow } from '#contracts/prediction-wire.ts'
import { hrefOf } from '#tests/support/on-screen.ts'
import { sourceRow } from '#tests/support/web-fixtures.ts'
import { SourceList } from './source-link.tsx'

it('shows since when a source is unreachable, and offers its archived copy', () => {
  const archived_url = 'https://web.archive.org/web/2024/https://example.org/gone'
  const rows = [
    sourceRow('https://example.org/gone', { dead_since: '2026-11-06', archived_url }),
    sourceRow('https://example.com/there'),
  ]
  render(<SourceList sources={rows.map(sourceOfRow)} />)
  const [gone, there] = screen.getAllByRole('listitem').map((one) => one.textContent)
  expect(gone).toContain('No longer answers since 06/11/2026.')
  expect(there).not.toContain('No longer answers')
  expect(hrefOf(/^Archived copy/)).toBe(archived_url)
})
