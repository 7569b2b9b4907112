import { useQuery } from '@tanstack/react-query'
import { sentenceOf } from '#web/api/call.ts'
import table from '#web/ui/dense-table.module.css'
import { DenseTable } from '#web/ui/dense-table.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { accuracyQuery, type Accuracy } from './calls.ts'
import css from './columns.module.css'
import { Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

const FIELDS: Readonly<Record<string, string>> = {
  expert_name: 'Expert',
  twitter_handle: 'Twitter handle',
  asset_type: 'Asset',
  prediction_type: 'Type',
  price_prediction: 'Price',
  price_target: 'Price target',
  price_min: 'Price minimum',
  price_max: 'Price maximum',
  timing: 'When it must be true',
  direction: 'Direction',
  target_time: 'Target date',
  prediction_made: 'Made on',
  prediction_start_date: 'Start date',
  source_url: 'Source',
}
const METHODS: Readonly<Record<string, string>> = {
  grok_ai: 'Model',
  text_parsing: 'Text parsing',
}

/** How much of what was drafted was left as it was, by field and over the months. */
export function AccuracyView() {
  const { data, error, refetch } = useQuery(accuracyQuery())
  return (
    <Stack as="section" aria-labelledby="accuracy-title">
      <Text as="h2" size="lead" id="accuracy-title">
        Accuracy over time
      </Text>
      {data ? (
        <Shares accuracy={data} />
      ) : error ? (
        <Notice
          alert
          title="The accuracy could not be loaded"
          text={sentenceOf(error)}
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton shape="card" label="Loading the accuracy..." />
      )}
    </Stack>
  )
}

function Shares({ accuracy }: { readonly accuracy: Accuracy }) {
  const { decisions, total, fields, methods } = accuracy
  if (decisions === 0) {
    return <Text tone="quiet">No decisions yet.</Text>
  }
  const months = byMonth(accuracy)
  return (
    <>
      <p>
        {percent(total.share)} of the drafted fields were left as they were, in {decisions}{' '}
        {decisions === 1 ? 'decision' : 'decisions'}
        {methods.length > 1 &&
          ` (${methods.map((one) => `${METHODS[one.method] ?? one.method} ${percent(one.share)}`).join(', ')})`}
        .
      </p>
      <DenseTable
        label="Accuracy"
        columns={['Field', 'Left as drafted', ...months.map(({ month }) => ({ number: month }))]}
        className={css.shares}
        isPlain
      >
        {fields.map(({ field, share, kept, decided }) => (
          <tr key={field}>
            <th scope="row">{FIELDS[field] ?? field}</th>
            <td className={table.nowrap} title={`${String(kept)} of ${String(decided)}`}>
              <span className={css.percent}>{percent(share)}</span>
              <span
                className={css.bar}
                style={{ backgroundSize: `${percent(share)} 100%` }}
                aria-hidden="true"
              />
            </td>
            {months.map(({ month, shares }) => {
              const of = shares.get(field)
              return (
                <td key={month} className={table.number}>
                  {of === undefined ? '–' : percent(of)}
                </td>
              )
            })}
          </tr>
        ))}
      </DenseTable>
    </>
  )
}

const MOST_MONTHS = 6

/** The last months, newest first, with the share of each field over all methods. */
function byMonth({ months }: Accuracy) {
  const names = [...new Set(months.map((one) => one.month))].toSorted().toReversed()
  return names.slice(0, MOST_MONTHS).map((month) => {
    const sums = new Map<string, { kept: number; decided: number }>()
    for (const one of months.filter((row) => row.month === month)) {
      const sum = sums.get(one.field) ?? { kept: 0, decided: 0 }
      sums.set(one.field, { kept: sum.kept + one.kept, decided: sum.decided + one.decided })
    }
    const shares = [...sums].map(
      ([field, { kept, decided }]) => [field, decided === 0 ? 0 : kept / decided] as const,
    )
    return { month, shares: new Map(shares) }
  })
}

function percent(share: number): string {
  return `${String(Math.round(share * 100))}%`
}
