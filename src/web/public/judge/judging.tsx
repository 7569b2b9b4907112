import { parse } from 'csv-parse/browser/esm/sync'
import { useId, useState, type Dispatch, type SetStateAction } from 'react'
import { CsvLines } from '#contracts/fields.ts'
import { barOfJudgedRow, judgedBars } from '#contracts/prices.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { day, showDay, plural, type Day } from '#domain/day.ts'
import { type Bar } from '#domain/judging/bar.ts'
import { judge } from '#domain/judging/judge.ts'
import {
  CSV_OPTIONS,
  priceSizeFault,
  readPriceLines,
  type ReadFile,
} from '#domain/judging/price-file.ts'
import { agreement } from '#domain/judging/same-verdict.ts'
import { seriesOf, type Series } from '#domain/judging/series.ts'
import { stepsOf } from '#domain/judging/steps.ts'
import { JUDGE_MODES, type JudgeMode } from '#domain/judging/verdict.ts'
import { MODE_NAMES } from '#domain/judging/verdict.ts'
import { FileButton } from '#web/ui/button.tsx'
import { Segments } from '#web/ui/chip.tsx'
import { Loaded, useLoaded } from '#web/ui/loaded.tsx'
import { Panel, Row, Stack, Callout, Failure, Text, Note, Quiet } from '#web/ui/primitives.tsx'

type Own = { readonly file: File; readonly read: ReadFile<Bar> | null }

/** Judges a prediction on recorded prices, or on a file that stays in the browser. */
export function Judging({ prediction, today }: Omit<JudgedBy, 'mode'>) {
  const [mode, setMode] = useState<JudgeMode>('touch')
  const [isOwn, setOwn] = useState(false)
  const [own, setFile] = useState<Own | null>(null)
  return (
    <Panel gap={4}>
      <Row gap={3}>
        <Segments
          label="Prices"
          options={[
            [false, 'Our prices'],
            [true, 'A file of your own'],
          ]}
          value={isOwn}
          onChoose={setOwn}
        />
        <Segments
          label="Judged by"
          options={JUDGE_MODES.map((one) => [one, MODE_NAMES[one]])}
          value={mode}
          onChoose={setMode}
        />
      </Row>
      {isOwn ? (
        <OwnPrices prediction={prediction} mode={mode} today={today} own={own} onFile={setFile} />
      ) : (
        <OurPrices prediction={prediction} mode={mode} today={today} />
      )}
    </Panel>
  )
}

export type JudgedBy = {
  readonly prediction: Prediction
  readonly mode: JudgeMode
  readonly today: Day
}

function OurPrices(props: JudgedBy) {
  const query = useLoaded(judgedBars, { params: { id: props.prediction.id } })
  return (
    <Loaded query={query} loading="Loading our prices…" failed="Our prices could not be loaded.">
      {({ asset, final_through: through, bars }) => (
        <Steps
          {...props}
          series={seriesOf(
            ASSETS[asset].calendar,
            bars.map(barOfJudgedRow),
            through === null ? null : day(through),
          )}
          prices="Our prices"
        />
      )}
    </Loaded>
  )
}

function OwnPrices({
  own,
  onFile,
  ...props
}: JudgedBy & { readonly own: Own | null; readonly onFile: Dispatch<SetStateAction<Own | null>> }) {
  const id = useId()
  const { symbol } = ASSETS[props.prediction.asset]

  async function choose(file: File): Promise<void> {
    onFile({ file, read: null })
    const read = await readOwnPrices(file, props.prediction.asset)
    // Another file may have been chosen meanwhile.
    onFile((now) => (now?.file === file ? { file, read } : now))
  }

  return (
    <Stack gap={4}>
      <Stack gap={2}>
        <div>
          <FileButton
            aria-describedby={id}
            label={`Daily prices of ${symbol}`}
            accept=".csv,text/csv,text/plain"
            onFiles={([file]) => {
              if (file) void choose(file)
            }}
          >
            Choose daily prices of {symbol}
          </FileButton>
        </div>
        <Note id={id}>
          CSV with the columns date and close, and open, high and low where they are known; dates as
          2024-08-08, prices in USD, adjusted for splits. The file stays in your browser.
        </Note>
      </Stack>
      {own && <OwnFile {...props} own={own} />}
    </Stack>
  )
}

/** Number of invalid lines listed; the others are only counted. */
const NAMED = 5

function OwnFile({ own: { file, read }, ...props }: JudgedBy & { readonly own: Own }) {
  const { name } = file
  if (!read) return <Text tone="quiet">Reading {name}…</Text>
  if (!read.ok) return <Failure message={`${name}: ${read.broken}.`} />
  const [first, last] = [read.rows[0], read.rows.at(-1)]
  return (
    <Stack gap={4}>
      <Note role="status">
        {first && last
          ? `${name}: ${plural(read.rows.length, 'day')}, from ${showDay(first.day)} to ${showDay(last.day)}.`
          : `${name} has no day that can be read.`}
      </Note>
      {read.bad.length > 0 && (
        <Callout as="div" tone="wait" gap={1}>
          <p>{plural(read.bad.length, 'line')} left out:</p>
          <ul>
            {read.bad.slice(0, NAMED).map(({ row, reason }) => (
              <li key={`${String(row)} ${reason}`}>
                Line {row}: {reason}.
              </li>
            ))}
          </ul>
          {read.bad.length > NAMED && <p>and {read.bad.length - NAMED} more.</p>}
        </Callout>
      )}
      {first && (
        <Steps
          {...props}
          series={seriesOfOwn(props.prediction.asset, read.rows)}
          prices="Your prices"
        />
      )}
    </Stack>
  )
}

function Steps({
  prediction,
  mode,
  today,
  series,
  prices,
}: JudgedBy & {
  readonly series: Series
  readonly prices: string
}) {
  const verdict = judge(series, prediction, mode, today)
  const { agrees, text } = agreement(prediction.verdicts[mode], verdict, prices)
  return (
    <Stack gap={4}>
      <Callout tone={agrees ? 'good' : 'bad'} strong role="status">
        {text}
      </Callout>
      <ol>
        {stepsOf(prediction, series, verdict).map((step, i) => (
          <li key={step.name} className="dated">
            <Quiet>
              {i + 1}. {step.name}
            </Quiet>
            <span>{step.text}</span>
          </li>
        ))}
      </ol>
      <Note>
        Judged in your browser by rule set {verdict.rule}, with the code that judges on the server.{' '}
        <a href="/methodology">The rules in words</a>
      </Note>
    </Stack>
  )
}

async function readOwnPrices(file: File, asset: AssetKey): Promise<ReadFile<Bar>> {
  const fault = priceSizeFault(file.size)
  if (fault !== null) return { ok: false, broken: fault }
  const text = await file.text().catch(() => null)
  if (text === null) return { ok: false, broken: 'the file cannot be read' }
  return readPriceLines(text, {
    asset,
    source: file.name,
    nowMs: Date.now(),
    parse: (csv) => CsvLines.parse(parse(csv, CSV_OPTIONS)),
  })
}

function seriesOfOwn(asset: AssetKey, bars: readonly Bar[]): Series {
  return seriesOf(
    ASSETS[asset].calendar,
    // With a single source there is nothing to compare the day with.
    bars.map((bar) => ({ ...bar, loneHigh: null, loneLow: null })),
  )
}
