import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listPublished, PREDICTION_STATES } from '#contracts/corrections.ts'
import { ASSET_KEYS, ASSETS } from '#domain/asset.ts'
import { MODE_NAMES } from '#domain/judging/verdict-text.ts'
import { type Outcome } from '#domain/judging/verdict.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { AddressPager } from '#web/ui/address-pager.tsx'
import { Button } from '#web/ui/button.tsx'
import { Choice } from '#web/ui/choice.tsx'
import table from '#web/ui/dense-table.module.css'
import { DenseTable } from '#web/ui/dense-table.tsx'
import css from '#web/ui/admin-page.module.css'
import { Loaded } from '#web/ui/loaded.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { pageOf, useParams } from '#web/ui/use-params.ts'
import { showDate } from '#web/ui/show-date.ts'
import { VerdictBadge } from '#web/ui/verdict-badge.tsx'
import { Row } from '#web/ui/stack.tsx'
import { Tag } from '#web/ui/tag.tsx'

type State = (typeof PREDICTION_STATES)[number]
const SIZE = 50
const COLUMNS = [
  'Expert',
  'Asset',
  'Prediction',
  'Made',
  'Target',
  MODE_NAMES.touch,
  MODE_NAMES.close,
  'State',
] as const
const STATE_NAMES: Readonly<Record<State, string>> = {
  all: 'All',
  live: 'Live',
  withdrawn: 'Withdrawn',
  frozen: 'Frozen',
  overridden: 'Set by hand',
  'off-chart': 'Not on the chart',
}

/** What is published, to be found and corrected. */
export function RecordsList({ onOpen }: { readonly onOpen: (id: string) => void }) {
  const [param, change] = useParams()
  const asset = ASSET_KEYS.find((key) => key === param('asset')) ?? 'all'
  const state = PREDICTION_STATES.find((one) => one === param('state')) ?? 'all'
  const q = param('q')
  const page = pageOf(param('page'))
  const query = useQuery({
    queryKey: ['published', { asset, state, q, page }],
    queryFn: ({ signal }) => adminCall(listPublished, { query: { asset, state, q, page }, signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <Row gap={3} align="end" className={css.tools}>
        <SearchBox
          label="Search predictions"
          value={q}
          onSearch={(text) => change({ q: text, page: null }, 'replace')}
        />
        <Choice
          label="Asset"
          name="asset"
          value={asset}
          options={[['all', 'All'], ...ASSET_KEYS.map((key) => [key, ASSETS[key].symbol] as const)]}
          onChange={(value) => change({ asset: value === 'all' ? null : value, page: null })}
        />
        <Choice
          label="State"
          name="state"
          value={state}
          options={PREDICTION_STATES.map((one) => [one, STATE_NAMES[one]] as const)}
          onChange={(value) => change({ state: value === 'all' ? null : value, page: null })}
        />
      </Row>
      <Loaded
        query={query}
        loading="Loading predictions..."
        failed="The predictions could not be loaded."
      >
        {({ rows, total }) =>
          rows.length === 0 ? (
            <Notice title="No predictions found.">
              {(q !== '' || state !== 'all' || asset !== 'all') && (
                <Button onClick={() => change({ q: null, state: null, asset: null, page: null })}>
                  Show all again
                </Button>
              )}
            </Notice>
          ) : (
            <>
              <DenseTable
                label="Published predictions"
                columns={COLUMNS}
                isBusy={query.isPlaceholderData}
              >
                {rows.map((row) => (
                  <tr key={row.id}>
                    <th scope="row" className={css.name}>
                      <button
                        type="button"
                        className={css.rowButton}
                        dir="auto"
                        onClick={() => onOpen(row.id)}
                      >
                        {row.expert_name}
                      </button>
                    </th>
                    <td className={table.nowrap}>{ASSETS[row.asset_type].symbol}</td>
                    <td className={table.nowrap}>{row.price_prediction}</td>
                    <td className={table.nowrap}>{showDate(row.prediction_made)}</td>
                    <td className={table.nowrap}>{showDate(row.target_time)}</td>
                    <td>
                      <Badge outcome={row.touch} />
                    </td>
                    <td>
                      <Badge outcome={row.close} />
                    </td>
                    <td>
                      <Marks row={row} />
                    </td>
                  </tr>
                ))}
              </DenseTable>
              <AddressPager label="Pages of predictions" size={SIZE} total={total} />
            </>
          )
        }
      </Loaded>
    </>
  )
}

function Badge({ outcome }: { readonly outcome: Outcome | null }) {
  return outcome === null ? null : <VerdictBadge outcome={outcome} />
}

function Marks({
  row,
}: {
  readonly row: {
    readonly withdrawn: boolean
    readonly frozen: boolean
    readonly overridden: boolean
    readonly exclude_from_chart: boolean
  }
}) {
  return (
    <>
      {row.withdrawn && <Tag tone="bad">withdrawn</Tag>}{' '}
      {row.frozen && <Tag tone="wait">frozen</Tag>} {row.overridden && <Tag>by hand</Tag>}{' '}
      {row.exclude_from_chart && <Tag>off chart</Tag>}
    </>
  )
}
