import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { judgedBarRow } from '#contracts/prices.ts'
import { day } from '#domain/day.ts'
import { judge } from '#domain/judging/judge.ts'
import { seriesOf } from '#domain/judging/series.ts'
import { barsFrom, published, statement } from '#tests/support/builders.ts'
import { JudgeHere } from './judge-here.tsx'

const TODAY = day('2024-02-01')
const SAID = statement({ type: 'target', usd: 150 }, { by: day('2024-01-03') })
const BARS = barsFrom('2024-01-01', ['95..105>100', '96..110>108', '100..155>120'])
const CSV = 'date,close\n2024-01-01,100\n2024-01-02,108\n2024-01-03,120\n'

function open(answer: () => Response): void {
  vi.stubGlobal('fetch', () => Promise.resolve(answer()))
  const verdict = (mode: 'touch' | 'close') => judge(seriesOf('every-day', BARS), SAID, mode, TODAY)
  const verdicts = { touch: verdict('touch'), close: verdict('close') }
  render(<JudgeHere prediction={published(SAID, verdicts)} today={TODAY} />)
  fireEvent.click(screen.getByRole('button', { name: 'Judge it here' }))
}

const ours = () =>
  Response.json({ asset: 'btc', final_through: '2024-01-03', bars: BARS.map(judgedBarRow) })

async function choose(text: string, size = text.length): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name: 'A file of your own' }))
  const file = new File([text], 'mine.csv')
  Object.defineProperty(file, 'size', { value: size })
  fireEvent.change(screen.getByLabelText('Daily prices of BTC'), { target: { files: [file] } })
}

it('judges a prediction on recorded prices in both modes', async () => {
  open(ours)
  await screen.findByText('Our prices agree: SUCCESS on 03/01/2024, with the same evidence.')
  fireEvent.click(screen.getByRole('button', { name: 'Daily close' }))
  await screen.findByText('Our prices agree: MISS on 03/01/2024, with the same evidence.')
  expect(screen.getAllByRole('listitem')).toHaveLength(6)
})

it('offers a retry when prices cannot be loaded', async () => {
  let isUp = false
  open(() => (isUp ? ours() : new Response('', { status: 503 })))
  await screen.findByText(/could not be loaded/)
  isUp = true
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText(/Our prices agree/)).toBeTruthy()
})

it('judges a file provided by the visitor and lists invalid lines', async () => {
  open(ours)
  await choose(`${CSV}2024-01-04,x\n`)
  await screen.findByText(
    'Your prices say MISS on 03/01/2024, the record says SUCCESS on 03/01/2024.',
  )
  expect(screen.getByText('Line 5: the close "x" is not a number.')).toBeTruthy()
})

it.each([
  ['time,price\n1,2\n', 10, 'must name the columns date and close'],
  ['', 0, 'mine.csv: the file is empty.'],
  [CSV, 200_000_000, 'mine.csv: the file has 200 MB, and daily prices of a hundred years have 3'],
])('rejects an invalid price file with a sentence: %j', async (text, size, words) => {
  open(ours)
  await choose(text, size)
  expect((await screen.findByRole('alert')).textContent).toContain(words)
})
