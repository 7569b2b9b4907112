import { type z } from 'zod'
import { extractionAccuracy } from '#contracts/posts.ts'
import { AdminTable } from '#web/admin/kit/admin-table.tsx'
import { useCall } from '#web/admin/kit/use-list.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Stack, Text } from '#web/ui/primitives.tsx'
import { FIELD_NAMES } from './analysis.tsx'
import css from './extract.module.css'

const METHODS: Readonly<Record<string, string>> = {
  grok_ai: 'Model',
  text_parsing: 'Text parsing',
}
const MOST_MONTHS = 6

/** How much of what was drafted was left as it was, by field and over the months. */
export function Accuracy() {
  return (
    <Stack as="section" aria-labelledby="accuracy-title">
      <Text as="h2" size="lead" id="accuracy-title">
        Accuracy over time
      </Text>
      <Loaded
        query={useCall(extractionAccuracy)}
        loading="Loading the accuracy..."
        failed="The accuracy could not be loaded."
      >
        {(accuracy) => <Shares {...accuracy} />}
      </Loaded>
    </Stack>
  )
}

function Shares({
  decisions,
  total,
  fields,
  methods,
  months,
}: z.infer<(typeof extractionAccuracy)['reply']>) {
  if (decisions === 0) return <Text tone="quiet">No decisions yet.</Text>
  // Newest first.
  const names = [...new Set(months.map(({ month }) => month))].toSorted().toReversed()
  /** Over all methods. */
  const shareOf = (field: string, month: string): string => {
    const rows = months.filter((row) => row.field === field && row.month === month)
    const sum = (of: 'kept' | 'decided') => rows.reduce((total, row) => total + row[of], 0)
    return rows.length === 0 ? '–' : percent(sum('kept') / Math.max(1, sum('decided')))
  }
  const byMethod = methods.map(
    (one) => `${METHODS[one.method] ?? one.method} ${percent(one.share)}`,
  )
  return (
    <>
      <p>
        {percent(total.share)} of the drafted fields were left as they were, in {decisions}{' '}
        {decisions === 1 ? 'decision' : 'decisions'}
        {methods.length > 1 && ` (${byMethod.join(', ')})`}.
      </p>
      <AdminTable
        label="Accuracy"
        rows={fields}
        idOf={({ field }) => field}
        columns={[
          { name: 'Field', is: 'title', cell: ({ field }) => FIELD_NAMES[field] ?? field },
          {
            name: 'Left as drafted',
            is: 'short',
            cell: ({ share, kept, decided }) => (
              <span className={css.share} title={`${String(kept)} of ${String(decided)}`}>
                {percent(share)}
                <span style={{ backgroundSize: `${percent(share)} 100%` }} aria-hidden="true" />
              </span>
            ),
          },
          ...names.slice(0, MOST_MONTHS).map((month) => ({
            name: month,
            is: 'number' as const,
            cell: ({ field }: { readonly field: string }) => shareOf(field, month),
          })),
        ]}
      />
    </>
  )
}

function percent(share: number): string {
  return `${String(Math.round(share * 100))}%`
}
