import { useQuery } from '@tanstack/react-query'
import { listJobs } from '#contracts/operations.ts'
import { type z } from 'zod'
import { Section } from '#web/admin/section.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import table from '#web/ui/dense-table.module.css'
import { DenseTable } from '#web/ui/dense-table.tsx'
import css from '#web/ui/admin-page.module.css'
import { Loaded } from '#web/ui/loaded.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { momentOr, showMoment } from '#web/ui/show-moment.ts'
import { Callout, Text } from '#web/ui/text.tsx'
import { Tag, type TagTone } from '#web/ui/tag.tsx'

type Job = z.infer<typeof listJobs.reply>['jobs'][number]

const REFRESH_MS = 10_000
const COLUMNS = [
  'Job',
  'State',
  { number: 'Waiting' },
  'Last run',
  'Next run',
  'Last failure',
] as const
const TONES: Readonly<Record<Job['state'], TagTone | undefined>> = {
  ok: 'good',
  waiting: 'good',
  running: 'good',
  failing: 'bad',
  late: 'bad',
  off: undefined,
}

/** What the site does by itself. */
export function JobsPanel() {
  const query = useQuery({
    queryKey: ['jobs'],
    queryFn: ({ signal }) => adminCall(listJobs, { signal }),
    refetchInterval: REFRESH_MS,
  })
  return (
    <Section title="Jobs" gap={4}>
      <Loaded query={query} loading="Loading jobs..." failed="The jobs could not be loaded.">
        {({ jobs, warnings }) => (
          <>
            {warnings.map(({ name, text }) => (
              <Callout key={name} tone="wait">
                {text}
              </Callout>
            ))}
            {jobs.length === 0 ? (
              <Notice title="No jobs are set up." />
            ) : (
              <DenseTable label="Jobs" columns={COLUMNS} isPlain>
                {jobs.map((job) => (
                  <tr key={job.name}>
                    <th scope="row" className={css.name}>
                      {job.title}
                    </th>
                    <td>
                      <Tag tone={TONES[job.state]}>{job.state}</Tag>
                    </td>
                    <td className={table.number}>{job.waiting}</td>
                    <td className={table.nowrap}>{momentOr('–', job.last_run)}</td>
                    <td className={table.nowrap}>{momentOr('–', job.next_run)}</td>
                    <td>
                      {job.last_error !== null && (
                        <Text as="span" tone="bad">
                          {job.last_error_at !== null && `${showMoment(job.last_error_at)}: `}
                          <bdi>{job.last_error}</bdi>
                        </Text>
                      )}
                    </td>
                  </tr>
                ))}
              </DenseTable>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}
