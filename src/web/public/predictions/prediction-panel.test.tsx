import { type DashboardPart } from '#contracts/dashboard.ts'
import { verdictRow } from '#contracts/prediction-wire.ts'
import { ASSETS } from '#domain/asset.ts'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { useState, type ComponentProps } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { dashboardPart, listedRow, predictionRow, verdict } from '#tests/support/web-fixtures.ts'
import { SITE } from '#tests/support/web-fixtures.ts'
import { SiteContext } from '#web/head/site.ts'
import { PredictionPanel } from './prediction-panel.tsx'
import { readQuestion } from '#domain/listing/question.ts'
import { clearSelection, OPENING_SELECTION } from '#domain/listing/selection.ts'
import { givenPart } from '#web/api/part.ts'

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

type Given = Partial<ComponentProps<typeof PredictionPanel>> & {
  readonly reply?: DashboardPart
}

const QUESTION = { ...readQuestion(() => null), selection: OPENING_SELECTION }

/** As a dashboard has it, answered by these rows. */
function Panel({ reply = dashboardPart([ALL[1], ALL[0]]), ...given }: Given) {
  const [selection, setSelection] = useState(OPENING_SELECTION)
  const part = givenPart(reply, 'btc')
  const [drawn, setDrawn] = useState(['ada-69k-2024'])
  return (
    <SiteContext value={SITE}>
      <PredictionPanel
        asset={ASSETS.btc}
        predictions={{ state: 'ready', data: part.listed.ones }}
        part={{ ...part, question: { ...QUESTION, selection }, isAnswer: true }}
        selection={selection}
        activeIds={new Set(drawn)}
        mode="touch"
        onSelect={setSelection}
        onToggle={({ id }) => setDrawn((ids) => (ids.includes(id) ? [] : [id]))}
        onReset={() => setSelection(clearSelection())}
        submitCard={null}
        {...given}
      />
    </SiteContext>
  )
}

afterEach(cleanup)

describe('the prediction panel', () => {
  it('the prediction panel says who, what, when, from where, and what came of it', () => {
    render(<Panel />)
    const [, hit] = screen.getAllByRole('listitem')
    const text = hit?.textContent?.replaceAll('\u00a0', ' ') ?? ''
    expect(text).toContain('Ada Quant@ada')
    expect(text).toContain('SUCCESS')
    expect(text).toContain('$69,000')
    expect(text).toContain('Target: 2024 · Made 31/01/2024 · example.org')
  })

  it('the prediction panel says what luck said, and of an open one what is left', () => {
    const [row] = ALL
    const odds = ['Luck said 12 %: a 1-in-8 call', '+38 % in 42 days; luck says 9 %']
    const rows = [listedRow(row, odds.slice(0, 1)), { ...listedRow(row, odds), id: 'open' }]
    render(<Panel reply={dashboardPart([row, row], { rows })} />)
    const texts = screen.getAllByRole('listitem').map((item) => item.textContent ?? '')
    expect(texts.map((text) => odds.filter((line) => text.includes(line)).length)).toEqual([1, 2])
  })

  it('the prediction panel shows a void one in grey with its reason, and a nameless one as Unknown', () => {
    render(<Panel />)
    const [first] = screen.getAllByRole('listitem')
    expect(first?.textContent).toContain('Unknown')
    expect(first?.textContent).toContain('VOID')
    expect(first?.textContent).toContain('Void: already broken.')
  })

  it('the prediction panel puts a card on the chart and takes it off', () => {
    render(<Panel />)
    const card = () => screen.getByRole('button', { name: /Ada Quant/ })
    expect(card().getAttribute('aria-pressed')).toBe('true')
    fireEvent.click(card())
    expect(card().getAttribute('aria-pressed')).toBe('false')
  })

  it('the prediction panel counts what each chip holds, voids in none', () => {
    render(<Panel />)
    const chips = within(screen.getByRole('group', { name: 'Filter by status' }))
    expect(chips.getAllByRole('button').map((chip) => chip.textContent)).toEqual([
      'All 1',
      'Pending 0',
      'Successful 1',
      'Miss 0',
    ])
  })

  it('the prediction panel distinguishes an empty list from a filter that leaves nothing', () => {
    const none = { total: 0, rows: [] }
    let resets = 0
    const onReset = () => (resets += 1)
    render(<Panel reply={dashboardPart([ALL[0]], { listed: none })} onReset={onReset} />)
    expect(screen.getByText('No prediction matches')).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Show all' }))
    expect(resets).toBe(1)
    cleanup()
    render(<Panel reply={dashboardPart([])} />)
    expect(screen.getByText('No BTC predictions yet')).toBeDefined()
  })

  it('the prediction panel shows what is loading, and offers another try when it failed', () => {
    render(<Panel predictions={{ state: 'pending' }} part={null} />)
    expect(screen.getByText('Loading BTC predictions...')).toBeDefined()
    cleanup()
    let tries = 0
    const failed = { state: 'failed', message: 'No answer.', retry: () => (tries += 1) } as const
    render(<Panel predictions={failed} part={null} />)
    expect(screen.getByRole('alert').textContent).toContain('No answer.')
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(tries).toBe(1)
  })
})
