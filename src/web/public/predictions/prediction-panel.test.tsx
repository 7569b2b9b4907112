import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { useState, type ComponentProps } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { type DashboardPart } from '#contracts/dashboard.ts'
import { predictionsOfRows, verdictRow } from '#contracts/prediction-wire.ts'
import { ASSETS } from '#domain/asset.ts'
import { dayFromNumber } from '#domain/day.ts'
import { readQuestion } from '#domain/listing/part.ts'
import { clearSelection, OPENING_SELECTION } from '#domain/listing/selection.ts'
import { sees } from '#tests/support/on-screen.ts'
import { dashboardPart, predictionRow, verdict, SITE } from '#tests/support/web-fixtures.ts'
import { loadedPart } from '#web/api/part.ts'
import { SiteContext } from '#web/head/site.ts'
import { targetDate } from './prediction-card.tsx'
import { PredictionPanel } from './prediction-panel.tsx'

const ALL = [
  predictionRow(),
  predictionRow({
    id: 'top',
    influencer: { id: 2, name: '', slug: 'no-one', score: 0, is_firm: false, x_handle: null },
    prediction_type: 'top',
    timing: 'throughout',
    price_target: null,
    price_max: 150_000,
    prediction_made: '2025-03-01',
    made_precision: 'month',
    source_url: 'javascript:alert(1)',
    verdicts: {
      touch: verdictRow(verdict({ outcome: 'void', reason: 'already-broken' })),
      close: verdictRow(verdict({ mode: 'close', outcome: 'void', reason: 'already-broken' })),
    },
  }),
] as const

type Options = Partial<ComponentProps<typeof PredictionPanel>> & {
  readonly reply?: DashboardPart
}

const LOADING = { data: undefined, error: null, refetch: () => undefined }
const QUESTION = { ...readQuestion(() => null), selection: OPENING_SELECTION }

/** The panel as on a dashboard, with these rows. */
function Panel({ reply = dashboardPart([ALL[1], ALL[0]]), ...options }: Options) {
  const [selection, setSelection] = useState(OPENING_SELECTION)
  const part = loadedPart(reply, 'btc')
  const [drawn, setDrawn] = useState(['ada-69k-2024'])
  return (
    <SiteContext value={SITE}>
      <PredictionPanel
        asset={ASSETS.btc}
        predictions={{ ...LOADING, data: part.listed.ones }}
        part={{ ...part, question: { ...QUESTION, selection }, isAnswer: true }}
        selection={selection}
        activeIds={new Set(drawn)}
        mode="touch"
        onSelect={setSelection}
        onToggle={({ id }) => setDrawn((ids) => (ids.includes(id) ? [] : [id]))}
        onReset={() => setSelection(clearSelection())}
        onSubmit={() => undefined}
        {...options}
      />
    </SiteContext>
  )
}

describe('the prediction panel', () => {
  it('counts predictions per chip, without voids', () => {
    render(<Panel />)
    const chips = within(screen.getByRole('group', { name: 'Filter by status' }))
    expect(chips.getAllByRole('button').map((chip) => chip.textContent)).toEqual([
      'All 1',
      'Pending 0',
      'Successful 1',
      'Miss 0',
    ])
  })

  it('distinguishes an empty list from a filter without results', () => {
    const none = { total: 0, rows: [], next: null }
    let resets = 0
    const onReset = () => (resets += 1)
    render(<Panel reply={dashboardPart([ALL[0]], { listed: none })} onReset={onReset} />)
    sees('No prediction matches')
    fireEvent.click(screen.getByRole('button', { name: 'Show all' }))
    expect(resets).toBe(1)
    cleanup()
    render(<Panel reply={dashboardPart([])} />)
    sees('No BTC predictions yet')
  })

  it('opens the form by its button', () => {
    const onSubmit = vi.fn<() => void>()
    render(<Panel onSubmit={onSubmit} />)
    fireEvent.click(screen.getByRole('button', { name: /^Submit/ }))
    expect(onSubmit).toHaveBeenCalledOnce()
  })

  it('shows a loading state, and a retry after a failure', () => {
    render(<Panel predictions={LOADING} part={null} />)
    sees('Loading BTC predictions...')
    expect(screen.getByRole('button', { name: 'Pending –' })).toBeDefined()
    cleanup()
    let tries = 0
    const failed = { ...LOADING, error: new Error('No answer.'), refetch: () => (tries += 1) }
    render(<Panel predictions={failed} part={null} />)
    expect(screen.getByRole('alert').textContent).toContain('No answer.')
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(tries).toBe(1)
  })
})

it('shows target dates with their precision, and says when there is no date', () => {
  const [prediction] = predictionsOfRows([predictionRow()])
  if (!prediction) throw new Error('the fixture is not a prediction')
  expect(targetDate(prediction)).toBe('2024')
  expect(targetDate({ ...prediction, byPrecision: 'day' })).toBe('31/12/2024')
  expect(targetDate({ ...prediction, by: dayFromNumber(NaN) })).toBe('Date not specified')
})
