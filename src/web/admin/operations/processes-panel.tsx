import { useQuery } from '@tanstack/react-query'
import { listProcesses } from '#contracts/operations.ts'
import { showCount } from '#domain/price-text.ts'
import { type z } from 'zod'
import { Section } from '#web/admin/section.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import css from '#web/ui/admin-page.module.css'
import table from '#web/ui/dense-table.module.css'
import { DenseTable } from '#web/ui/dense-table.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { showMoment } from '#web/ui/show-moment.ts'
import { Tag } from '#web/ui/tag.tsx'

type Process = z.infer<typeof listProcesses.reply>['processes'][number]

const REFRESH_MS = 5_000
const COLUMNS = [
  'Process',
  'State',
  'Does',
  { number: 'Live lines' },
  'Replica',
  'Running since',
] as const
const DOES: Readonly<Record<Process['role'], string>> = {
  web: 'pages',
  worker: 'jobs',
  both: 'pages and jobs',
}

/** Which processes serve the site, and what each does. */
export function ProcessesPanel() {
  const query = useQuery({
    queryKey: ['processes'],
    queryFn: ({ signal }) => adminCall(listProcesses, { signal }),
    refetchInterval: REFRESH_MS,
  })
  return (
    <Section title="Processes" gap={4}>
      <Loaded
        query={query}
        loading="Loading processes..."
        failed="The processes could not be loaded."
      >
        {({ processes }) =>
          processes.length === 0 ? (
            <Notice title="No process has been heard of yet." />
          ) : (
            <DenseTable label="Processes" columns={COLUMNS} isPlain>
              {processes.map((one) => (
                <tr key={one.id}>
                  <th scope="row" className={css.name}>
                    <bdi>{one.host}</bdi>, {one.pid}
                  </th>
                  <td>
                    <Tag tone={one.is_alive ? 'good' : 'bad'}>{stateOf(one)}</Tag>
                  </td>
                  <td className={table.nowrap}>
                    {one.leads ? `${DOES[one.role]}, live prices` : DOES[one.role]}
                  </td>
                  <td className={table.number}>{showCount(one.lines)}</td>
                  <td className={table.nowrap}>{replicaText(one.replica)}</td>
                  <td className={table.nowrap}>{showMoment(one.started_at)}</td>
                </tr>
              ))}
            </DenseTable>
          )
        }
      </Loaded>
    </Section>
  )
}

function stateOf({ is_alive: isAlive, heard_seconds_ago: seconds }: Process): string {
  if (isAlive) return 'running'
  return seconds < 120
    ? `silent for ${String(Math.round(seconds))} s`
    : `silent for ${showCount(Math.round(seconds / 60))} min`
}

function replicaText(replica: Process['replica']): string {
  if (replica === null) return '–'
  const { state, behind_ms: behindMs } = replica
  if (state === 'away') return 'away'
  if (state === 'unfit') return 'no replica any more'
  const seconds = ((behindMs ?? 0) / 1_000).toFixed(1)
  return state === 'used' ? `read, ${seconds} s behind` : `not read, ${seconds} s behind`
}
