import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { Link } from 'wouter'
import { exportAudit, listAudit, type AuditEntry } from '#contracts/operations.ts'
import { sentenceCase } from '#domain/sentence-case.ts'
import { AdminPage } from '#web/admin/admin-page.tsx'
import { adminCall } from '#web/api/admin-call.ts'
import { AddressPager } from '#web/ui/address-pager.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Choice } from '#web/ui/choice.tsx'
import table from '#web/ui/dense-table.module.css'
import { DateField } from '#web/ui/date-field.tsx'
import { DenseTable } from '#web/ui/dense-table.tsx'
import css from '#web/ui/admin-page.module.css'
import { useLayout } from '#web/ui/layout.ts'
import { Loaded } from '#web/ui/loaded.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { showMoment } from '#web/ui/show-moment.ts'
import { pageOf, useParams } from '#web/ui/use-params.ts'
import { addressOf, detailText, kindText, whatText, whoText } from './audit-words.ts'
import { changesOf } from './changes.ts'
import { Row, Stack } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'

const SIZE = 50
const FILTERS = ['who', 'action', 'kind', 'id', 'from', 'to', 'q'] as const
type Filter = Partial<Record<(typeof FILTERS)[number], string>>

/** Who did what, when, and what it changed; filtered, and taken away as a file. */
export function AuditView() {
  const [param, change] = useParams()
  const filter: Filter = Object.fromEntries(
    FILTERS.map((name) => [name, param(name)] as const).filter(([, value]) => value !== ''),
  )
  const page = pageOf(param('page'))
  const query = useQuery({
    queryKey: ['audit', filter, page],
    queryFn: ({ signal }) => adminCall(listAudit, { query: { ...filter, page }, signal }),
    placeholderData: keepPreviousData,
  })
  const known = query.data?.known ?? { who: [], actions: [], kinds: [] }
  const choice = (
    name: 'who' | 'action' | 'kind',
    label: string,
    values: readonly string[],
    show: (value: string) => string,
  ) => (
    <Choice
      label={label}
      name={name}
      value={filter[name] ?? ''}
      options={[
        ['', 'All'],
        ...[...new Set([...values, ...(filter[name] === undefined ? [] : [filter[name]])])].map(
          (value) => [value, show(value)] as const,
        ),
      ]}
      onChange={(value) => change({ [name]: value, page: null })}
    />
  )
  const date = (name: 'from' | 'to', label: string) => (
    <DateField
      label={label}
      name={name}
      onlyDays
      value={filter[name] ?? ''}
      onChange={(value) => change({ [name]: value, page: null })}
    />
  )
  return (
    <AdminPage title="Audit log">
      <Row gap={3} align="end" className={css.tools}>
        <SearchBox
          label="Search the audit log"
          value={filter.q ?? ''}
          onSearch={(q) => change({ q, page: null }, 'replace')}
        />
        {choice('who', 'Who', known.who, whoText)}
        {choice('action', 'What', known.actions, sentenceCase)}
        {choice('kind', 'About', known.kinds, kindText)}
        {date('from', 'From')}
        {date('to', 'To')}
      </Row>
      <Row>
        {filter.id !== undefined && (
          <Button onClick={() => change({ id: null, page: null })}>
            Only {onlyText(filter.id, query.data?.rows)} ✕
            <span className="aside-voice">, show all again</span>
          </Button>
        )}
        <a className={buttonClass('plain')} href={exportAddress(filter, 'csv')} download>
          Export as CSV
        </a>
        <a className={buttonClass('plain')} href={exportAddress(filter, 'jsonl')} download>
          Export as JSON lines
        </a>
      </Row>
      <Loaded
        query={query}
        loading="Loading the audit log..."
        failed="The audit log could not be loaded."
      >
        {({ rows, total }) =>
          rows.length === 0 ? (
            <Notice title="No matching entries." />
          ) : (
            <>
              <List
                rows={rows}
                isBusy={query.isPlaceholderData}
                onOnly={(kind, id) => change({ kind, id, page: null })}
              />
              <AddressPager label="Pages of the audit log" size={SIZE} total={total} />
            </>
          )
        }
      </Loaded>
    </AdminPage>
  )
}

function List({
  rows,
  isBusy,
  onOnly,
}: {
  readonly rows: readonly AuditEntry[]
  readonly isBusy: boolean
  readonly onOnly: (kind: string, id: string) => void
}) {
  const [open, setOpen] = useState<number | null>(null)
  const layout = useLayout()
  return (
    <DenseTable
      label="Audit log"
      columns={['When', 'Who', 'What', 'About', 'Reason']}
      isBusy={isBusy}
      isStacked={layout === 'phone'}
    >
      {rows.map((row) => {
        const changes = changesOf(row)
        const detail = detailText(row)
        return (
          <Fragment key={row.id}>
            <tr>
              <td className={table.nowrap}>{showMoment(row.at)}</td>
              <td className={table.nowrap}>
                <bdi>{whoText(row.who)}</bdi>
              </td>
              <th scope="row" className={css.name}>
                {changes.length === 0 ? (
                  whatText(row)
                ) : (
                  <button
                    type="button"
                    className={css.rowButton}
                    aria-expanded={open === row.id}
                    onClick={() => setOpen(open === row.id ? null : row.id)}
                  >
                    {whatText(row)}
                  </button>
                )}
                {detail !== null && (
                  <Text tone="quiet" size="small">
                    <bdi>{detail}</bdi>
                  </Text>
                )}
              </th>
              <td>
                <About row={row} onOnly={onOnly} />
              </td>
              {/* Empty cells take no room on a phone. */}
              <td hidden={layout === 'phone' && row.reason === null}>
                <Text as="bdi" size="small">
                  {row.reason}
                </Text>
              </td>
            </tr>
            {open === row.id && (
              <tr>
                <td colSpan={5}>
                  <Stack as="ul" gap={2} size="small" aria-label="What it changed">
                    {changes.map(({ field, before, after }) => (
                      <li key={field}>
                        <b>{field}</b>:{' '}
                        {before !== null && (
                          <>
                            <bdi>{before}</bdi> →{' '}
                          </>
                        )}
                        <bdi>{after}</bdi>
                      </li>
                    ))}
                  </Stack>
                </td>
              </tr>
            )}
          </Fragment>
        )
      })}
    </DenseTable>
  )
}

/** What an entry is about, by its name; the number of the database on hover. */
function About({
  row,
  onOnly,
}: {
  readonly row: AuditEntry
  readonly onOnly: (kind: string, id: string) => void
}) {
  const { kind, subject, about } = row
  const name = about?.name ?? subject
  const to = addressOf(row)
  return (
    <Stack gap={1}>
      {name !== null && (
        <bdi title={subject ?? undefined}>{to === null ? name : <Link to={to}>{name}</Link>}</bdi>
      )}
      <Row gap={2}>
        <Text as="span" tone="quiet" size="small">
          {kindText(kind)}
        </Text>
        {subject !== null && (
          <button type="button" className={css.rowButton} onClick={() => onOnly(kind, subject)}>
            Only this<span className="aside-voice">: {name}</span>
          </button>
        )}
      </Row>
    </Stack>
  )
}

/** The name of the one subject that is shown. */
function onlyText(id: string, rows: readonly AuditEntry[] | undefined): string {
  return rows?.find(({ subject }) => subject === id)?.about?.name ?? id
}

function exportAddress(filter: Filter, format: 'csv' | 'jsonl'): string {
  return `${exportAudit.path}?${new URLSearchParams({ ...filter, format }).toString()}`
}
