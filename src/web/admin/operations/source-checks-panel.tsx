import { useQuery } from '@tanstack/react-query'
import { listSourceChecks } from '#contracts/operations.ts'
import { showCount } from '#domain/price-text.ts'
import { type z } from 'zod'
import { Section } from '#web/admin/section.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import css from '#web/ui/admin-page.module.css'
import { DenseTable } from '#web/ui/dense-table.tsx'
import table from '#web/ui/dense-table.module.css'
import { Loaded } from '#web/ui/loaded.tsx'
import { momentOr, showMoment } from '#web/ui/show-moment.ts'
import { Text } from '#web/ui/text.tsx'

type Checks = z.infer<typeof listSourceChecks.reply>

const REFRESH_MS = 20_000
const COLUMNS = [
  'Address',
  'No longer answers since',
  'Asked last',
  'Answer',
  'Archived copy',
  'Predictions',
] as const
const MODES: Readonly<Record<Checks['mode'], string>> = {
  weekly: 'Each address of a source is asked once a week (SOURCE_CHECKS=weekly).',
  off: 'Addresses of sources are not asked (SOURCE_CHECKS=off).',
}

/** Whether the addresses of sources still answer, and those that do not. */
export function SourceChecksPanel() {
  const query = useQuery({
    queryKey: ['source-checks'],
    queryFn: ({ signal }) => adminCall(listSourceChecks, { signal }),
    refetchInterval: REFRESH_MS,
  })
  return (
    <Section title="Addresses of sources" gap={4}>
      <Loaded
        query={query}
        loading="Loading addresses..."
        failed="The state of the addresses could not be loaded."
      >
        {(checks) => (
          <>
            <Text size="small">
              {MODES[checks.mode]} {countsText(checks)}
            </Text>
            {checks.dead.newest.length > 0 && <Dead dead={checks.dead} />}
          </>
        )}
      </Loaded>
    </Section>
  )
}

function Dead({ dead: { total, newest } }: Pick<Checks, 'dead'>) {
  return (
    <>
      <DenseTable label="Addresses that no longer answer" columns={COLUMNS} isPlain>
        {newest.map((one) => (
          <tr key={one.url}>
            <th scope="row" className={css.name}>
              <Address to={one.url} />
            </th>
            <td className={table.nowrap}>{showMoment(one.dead_since)}</td>
            <td className={table.nowrap}>{showMoment(one.asked_at)}</td>
            <td>{one.note}</td>
            <td className={table.nowrap}>
              {one.archived_url === null ? (
                'None'
              ) : (
                <Address to={one.archived_url}>Archived copy</Address>
              )}
            </td>
            <td>
              {one.predictions.map((id, i) => (
                <span key={id}>
                  {i > 0 && ', '}
                  <a href={`/predictions/${encodeURIComponent(id)}`} target="_blank">
                    {id}
                  </a>
                </span>
              ))}
            </td>
          </tr>
        ))}
      </DenseTable>
      {newest.length < total && (
        <Text size="small">The newest {showCount(newest.length)} are listed.</Text>
      )}
    </>
  )
}

function Address({ to, children = to }: { readonly to: string; readonly children?: string }) {
  return (
    <a href={to} target="_blank" rel="noopener noreferrer">
      <bdi>{children}</bdi>
    </a>
  )
}

/** `301 of 304 addresses asked, 12 due. 3 no longer answer, 2 failed but may come back, 40 could not be checked. …` */
function countsText(checks: Checks): string {
  const { addresses, asked, waiting, failing, closed, dead, last_asked, next_ask } = checks
  const n = showCount
  const parts = [
    `${n(asked)} of ${n(addresses)} addresses asked${checks.mode === 'off' ? '' : `, ${n(waiting)} due`}.`,
    `${n(dead.total)} no longer answer, ${n(failing)} failed but may come back, ${n(closed)} could not be checked.`,
    `Last asked: ${momentOr('never', last_asked)}.`,
  ]
  if (checks.mode !== 'off') parts.push(`Next: ${momentOr('now', waiting > 0 ? null : next_ask)}.`)
  return parts.join(' ')
}
