import { Link } from 'wouter'
import { exportAudit, listAudit, type AuditEntry } from '#contracts/operations.ts'
import { sentenceCase } from '#domain/price-text.ts'
import { AdminPage } from '#web/admin/kit/screen.tsx'
import { AdminList, ListTools, useList } from '#web/admin/kit/list.tsx'
import { type Column, column } from '#web/admin/kit/admin-table.tsx'
import { Changes } from '#web/admin/kit/changes.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Row, Stack, Text } from '#web/ui/primitives.tsx'
import { addressOf, detailText, kindText, whatText, whoText } from './audit-words.ts'

export function AuditView() {
  const list = useList(listAudit, {
    q: 'text',
    who: 'text',
    action: 'text',
    kind: 'text',
    id: 'text',
    from: 'text',
    to: 'text',
  })
  const { values } = list
  const known = list.query.data?.known ?? { who: [], actions: [], kinds: [] }
  const options = (all: readonly string[], value: string, show: (one: string) => string) => [
    ['', 'All'] as const,
    ...[...new Set([...all, ...(value === '' ? [] : [value])])].map(
      (one) => [one, show(one)] as const,
    ),
  ]
  const exportAs = (format: 'csv' | 'jsonl', text: string) => {
    const filter = Object.entries({ ...values, format }).filter(([, value]) => value !== '')
    const to = `${exportAudit.path}?${new URLSearchParams(filter).toString()}`
    return (
      <a className={buttonClass('plain')} href={to} download>
        Export as {text}
      </a>
    )
  }
  return (
    <AdminPage>
      <ListTools
        list={list}
        search="Search the audit log"
        choices={[
          { name: 'who', label: 'Who', options: options(known.who, values.who, whoText) },
          {
            name: 'action',
            label: 'What',
            options: options(known.actions, values.action, sentenceCase),
          },
          { name: 'from', label: 'From', options: 'day' },
          { name: 'to', label: 'To', options: 'day' },
          { name: 'kind', label: 'About', options: options(known.kinds, values.kind, kindText) },
        ]}
      />
      <Row>
        {values.id !== '' && (
          <Button onClick={() => list.show({ id: null })}>
            Only {onlyText(values.id, list.query.data?.rows)} ✕
            <span className="aside-voice">, show all again</span>
          </Button>
        )}
        {exportAs('csv', 'CSV')}
        {exportAs('jsonl', 'JSON lines')}
      </Row>
      <AdminList
        label="Audit log"
        list={list}
        columns={columnsOf((kind, id) => list.show({ kind, id }))}
        idOf={({ id }) => String(id)}
        empty="No matching entries."
        renderDetail={(row) => <Changes row={row} />}
      />
    </AdminPage>
  )
}

function columnsOf(onOnly: (kind: string, id: string) => void): readonly Column<AuditEntry>[] {
  return [
    column.title('What', (row) => {
      const detail = detailText(row)
      return (
        <>
          {whatText(row)}
          {detail !== null && <bdi>: {detail}</bdi>}
        </>
      )
    }),
    column.moment('When', ({ at }) => at),
    column.short('Who', ({ who }) => whoText(who)),
    column.text('About', (row) => <About row={row} onOnly={onOnly} />),
    column.text('Reason', ({ reason }) => reason),
  ]
}

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
        <Text as="span" tone="quiet">
          {kindText(kind)}
        </Text>
        {subject !== null && (
          <Button look="quiet" size="small" onClick={() => onOnly(kind, subject)}>
            Only this<span className="aside-voice">: {name}</span>
          </Button>
        )}
      </Row>
    </Stack>
  )
}

function onlyText(id: string, rows: readonly AuditEntry[] | undefined): string {
  return rows?.find(({ subject }) => subject === id)?.about?.name ?? id
}
