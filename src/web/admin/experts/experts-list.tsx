import { type AdminExpert } from '#contracts/people.ts'
import { useMay } from '#web/api/role.ts'
import { AddressPager } from '#web/ui/address-pager.tsx'
import { Button } from '#web/ui/button.tsx'
import table from '#web/ui/dense-table.module.css'
import { DenseTable } from '#web/ui/dense-table.tsx'
import css from '#web/ui/admin-page.module.css'
import { Loaded } from '#web/ui/loaded.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { pageOf, useParams } from '#web/ui/use-params.ts'
import { countText, useDuplicates, useExperts } from './calls.ts'
import { Panel, Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

const SIZE = 50

/** All people and firms on record by name, and those that may be one under two names. */
export function ExpertsList({
  onOpen,
}: {
  /** @param into the person to merge with, suggested */
  readonly onOpen: (id: number, into?: number) => void
}) {
  const [param, change] = useParams()
  const q = param('q')
  const page = pageOf(param('page'))
  const query = useExperts(q, page)
  return (
    <>
      <Duplicates onOpen={onOpen} />
      <Row gap={3} align="end" className={css.tools}>
        <SearchBox
          label="Search people and firms"
          value={q}
          onSearch={(text) => change({ q: text, page: null }, 'replace')}
        />
      </Row>
      <Loaded query={query} loading="Loading people..." failed="The people could not be loaded.">
        {({ rows, total }) =>
          rows.length === 0 ? (
            <Notice title="No people or firms found.">
              {q !== '' && (
                <Button onClick={() => change({ q: null, page: null })}>Show all</Button>
              )}
            </Notice>
          ) : (
            <>
              <DenseTable
                label="People and firms"
                columns={['Name', 'Other names', 'On X', 'Kind', { number: 'Predictions' }]}
                isBusy={query.isPlaceholderData}
              >
                {rows.map((row) => (
                  <ExpertRow key={row.id} row={row} onOpen={() => onOpen(row.id)} />
                ))}
              </DenseTable>
              <AddressPager label="Pages of people" size={SIZE} total={total} />
            </>
          )
        }
      </Loaded>
    </>
  )
}

function ExpertRow({ row, onOpen }: { readonly row: AdminExpert; readonly onOpen: () => void }) {
  return (
    <tr>
      <th scope="row" className={css.name}>
        <button type="button" className={css.rowButton} dir="auto" onClick={onOpen}>
          {row.name}
        </button>
      </th>
      <td>
        <bdi>{row.aliases.join(', ')}</bdi>
      </td>
      <td>
        {row.handles.map((one) => (
          <span key={one} className={table.nowrap}>
            @{one}{' '}
          </span>
        ))}
      </td>
      <td className={table.nowrap}>{row.is_firm ? 'Firm' : 'Person'}</td>
      <td className={table.number}>{row.predictions}</td>
    </tr>
  )
}

function Duplicates({ onOpen }: { readonly onOpen: (id: number, into: number) => void }) {
  const { data } = useDuplicates()
  const mayMerge = useMay('publish')
  if (!data || data.pairs.length === 0) return null
  return (
    <Panel as="section" aria-label="Likely duplicates">
      <Text as="h2" size="lead">
        May be the same
      </Text>
      <Stack as="ul" gap={2} size="small">
        {data.pairs.map(({ first, second, why }) => {
          // The one with fewer predictions goes into the other.
          const [from, into] =
            first.predictions < second.predictions ? [first, second] : [second, first]
          return (
            <Row as="li" key={`${String(first.id)} ${String(second.id)}`}>
              <span>
                <bdi>{why}</bdi>{' '}
                <Text as="span" tone="quiet" size="small">
                  {countText(from)} and {countText(into)}
                </Text>
              </span>
              <Button onClick={() => onOpen(from.id, into.id)}>
                {mayMerge ? 'Check and merge' : 'Check'}
              </Button>
            </Row>
          )
        })}
      </Stack>
    </Panel>
  )
}
