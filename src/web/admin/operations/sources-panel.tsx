import { useQuery, useQueryClient } from '@tanstack/react-query'
import { listSources, runSource } from '#contracts/operations.ts'
import { ASSETS } from '#domain/asset.ts'
import { type z } from 'zod'
import { Section } from '#web/admin/section.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { Button } from '#web/ui/button.tsx'
import table from '#web/ui/dense-table.module.css'
import { DenseTable } from '#web/ui/dense-table.tsx'
import css from '#web/ui/admin-page.module.css'
import { Loaded } from '#web/ui/loaded.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { dateOr } from '#web/ui/show-date.ts'
import { momentOr } from '#web/ui/show-moment.ts'
import { useToasts } from '#web/ui/toasts.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { Text } from '#web/ui/text.tsx'
import { Tag } from '#web/ui/tag.tsx'

type Source = z.infer<typeof listSources.reply>['sources'][number]

const REFRESH_MS = 10_000
const COLUMNS = [
  'Source',
  'Asset',
  'State',
  'Last bar',
  'Last success',
  'Next run',
  'Last failure',
  { unseen: 'Actions' },
] as const

/** Where prices come from, how each source is doing, and asking one of them now. */
export function SourcesPanel() {
  const query = useQuery({
    queryKey: ['price-sources'],
    queryFn: ({ signal }) => adminCall(listSources, { signal }),
    refetchInterval: REFRESH_MS,
  })
  return (
    <Section title="Price sources" gap={4}>
      <Loaded
        query={query}
        loading="Loading price sources..."
        failed="The price sources could not be loaded."
      >
        {({ assets, sources, prices, leader }) => (
          <>
            <Text size="small">
              {assets
                .map(
                  ({ asset, last_bar: last, expected_bar: expected }) =>
                    `${ASSETS[asset].symbol} up to ${dateOr('nothing yet', last)}${last === expected ? '' : ` (${dateOr('nothing', expected)} expected)`}`,
                )
                .join(' · ')}
              {!prices && ' · Prices from outside are switched off.'}
              {prices && !leader && ' · Another process is connected to the venues.'}
            </Text>
            {sources.length === 0 ? (
              <Notice title="No sources are in use." />
            ) : (
              <DenseTable label="Price sources" columns={COLUMNS}>
                {sources.map((source) => (
                  <Row key={`${source.asset} ${source.source} ${source.kind}`} source={source} />
                ))}
              </DenseTable>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}

function Row({ source }: { readonly source: Source }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const change = useChange({ onFailed: ({ message }) => toasts.failed(message) })

  async function run(): Promise<void> {
    const body = { asset: source.asset, source: source.source }
    toasts.done((await adminCall(runSource, { body })).message)
    await client.invalidateQueries({ queryKey: ['price-sources'] })
  }

  const tone = source.state === 'ok' ? 'good' : source.state === 'failing' ? 'bad' : undefined
  return (
    <tr>
      <th scope="row" className={css.name}>
        {source.title} {source.kind === 'live' && <Tag>live</Tag>}
      </th>
      <td className={table.nowrap}>{ASSETS[source.asset].symbol}</td>
      <td>
        <Tag tone={tone}>
          {source.state.replace('-', ' ')}
          {source.failures > 1 && ` (${String(source.failures)})`}
        </Tag>
      </td>
      <td className={table.nowrap}>{dateOr('–', source.last_bar)}</td>
      <td className={table.nowrap}>{momentOr('–', source.last_success)}</td>
      <td className={table.nowrap}>{momentOr('–', source.next_run)}</td>
      <td className={table.note}>
        {source.last_error !== null && (
          <Text as="span" tone={source.state === 'failing' ? 'bad' : 'quiet'}>
            {momentOr('–', source.last_error_at)}: <bdi>{source.last_error}</bdi>
          </Text>
        )}
      </td>
      <td>
        {source.kind === 'daily' && (
          <div className={table.actions}>
            <Button disabled={change.isBusy} onClick={() => void change.run(run)}>
              Run now
            </Button>
          </div>
        )}
      </td>
    </tr>
  )
}
