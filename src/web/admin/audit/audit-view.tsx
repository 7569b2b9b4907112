import { Link } from 'wouter'
import { exportAudit, listAudit, type AuditRow } from '#contracts/operations.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { counted, sentenceCase, showCount } from '#domain/price-text.ts'
import { addressOfDashboard, PUBLISH } from '#web/admin/addresses.ts'
import { AdminPage } from '#web/admin/kit/screen.tsx'
import { AdminList, ListTools, useList } from '#web/admin/kit/list.tsx'
import { type Column, column } from '#web/admin/kit/admin-table.tsx'
import { Changes } from '#web/admin/kit/changes.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Row, Stack, Text } from '#web/ui/primitives.tsx'
import { showTime } from '#web/ui/show.ts'

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

function columnsOf(onOnly: (kind: string, id: string) => void): readonly Column<AuditRow>[] {
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
  readonly row: AuditRow
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

function onlyText(id: string, rows: readonly AuditRow[] | undefined): string {
  return rows?.find(({ subject }) => subject === id)?.about?.name ?? id
}

const KINDS: Readonly<Record<string, string>> = {
  admin: 'Account',
  expert: 'Person',
  'price jump': 'Price jump',
  'price source': 'Price source',
  'social post': 'Post',
  'social settings': 'Automatic posts',
  'tweet queue': 'Link in the queue',
}

function kindText(kind: string): string {
  return KINDS[kind] ?? sentenceCase(kind)
}

function whoText(who: string): string {
  return who === 'visitor' ? 'A visitor' : who === 'server' ? 'The server' : who
}

/** The action: `Submission approved`; with a count for bulk actions. */
export function whatText({ action, after }: Pick<AuditRow, 'action' | 'after'>): string {
  const times = numberOf(after?.['times'])
  return `${sentenceCase(action)}${times === null ? '' : `, ${showCount(times)} times`}`
}

/** Details that distinguish entries with the same action; null if the subject and the reason are enough. */
export function detailText(row: Pick<AuditRow, 'action' | 'before' | 'after'>): string | null {
  const after = (field: string): string | null => textOf(row.after?.[field])
  const before = (field: string): string | null => textOf(row.before?.[field])
  switch (row.action) {
    case 'signed in':
      return joined([prefixed('by ', after('how')), prefixed('from ', after('address'))], ' ')
    case 'sign-in failed':
    case 'sign-in locked out':
    case 'call refused':
      return refusalText(row.after ?? {})
    case 'token created':
    case 'token revoked':
    case 'passkey added':
      return after('name')
    case 'passkey removed':
      return before('name')
    case 'admin created':
    case 'role set':
      return after('role')
    case 'links added':
      return Array.isArray(row.after?.['ids']) ? counted(row.after['ids'].length, 'link') : null
    case 'daily ranges published':
      return joined(
        [
          countText(row.after?.['days'], 'day'),
          countText(row.after?.['verdicts'], 'verdict changed', 'verdicts changed'),
        ],
        ', ',
      )
    default:
      return null
  }
}

const WHY: Readonly<Record<string, string>> = {
  'locked out': 'too many attempts',
  role: 'not allowed for their role',
  scope: 'not allowed for their token',
  'token for the account': 'a token cannot change an account',
  'another site': 'sent by another site',
  'second factor missing': 'a second factor is not set up',
  'token not valid': 'no valid token',
  several: 'several reasons',
}

function refusalText(after: Readonly<Record<string, unknown>>): string {
  const [why, address, from, to] = ['why', 'address', 'from', 'to'].map((field) =>
    textOf(after[field]),
  )
  const place = address === 'several' ? 'several networks' : address
  const span = from && to ? [...new Set([showTime(from), showTime(to)])] : []
  const until = span.length < 2 ? null : `between ${span.join(' and ')}`
  const parts = [textOf(after['call']), why ? (WHY[why] ?? why) : null, prefixed('from ', place)]
  return joined([...parts, until], ', ') ?? ''
}

export function addressOf({
  kind,
  subject,
  about,
  after,
}: Pick<AuditRow, 'kind' | 'subject' | 'about'> & Partial<Pick<AuditRow, 'after'>>): string | null {
  if (subject === null) return kind === 'social settings' ? PUBLISH : null
  if (about === null) return null
  const of = ADDRESSES[kind]
  if (of === undefined) return null
  return typeof of === 'string'
    ? of
    : of(encodeURIComponent(subject), about.asset_type ?? ASSETS.btc.key, textOf(after?.['state']))
}

const ADDRESSES: Readonly<
  Record<string, string | ((id: string, asset: AssetKey, state: string | null) => string)>
> = {
  submission: (id, asset) => `${addressOfDashboard(asset)}?tab=all&open=${id}`,
  prediction: (id) => `/admin/predictions?open=${id}`,
  expert: (id) => `/admin/experts?open=${id}`,
  payment: (id) => `/admin/payments?open=${id}`,
  'tweet queue': (id) => `/admin/queue?item=${id}`,
  goalpost: '/admin/goalposts',
  report: '/admin/reports?state=all',
  reply: (_id, _asset, state) => `/admin/replies?state=${state ?? 'waiting'}`,
  admin: '/admin/accounts',
  'social post': PUBLISH,
  'price source': '/admin/operations',
  'price jump': '/admin/operations',
  prices: '/admin/operations',
}

function joined(parts: readonly (string | null | undefined)[], by: string): string | null {
  const texts = parts.filter((part) => part !== null && part !== undefined && part !== '')
  return texts.length === 0 ? null : texts.join(by)
}

function prefixed(word: string, text: string | null | undefined): string | null {
  return text ? `${word}${text}` : null
}

function countText(count: unknown, one: string, many?: string): string | null {
  const number = numberOf(count)
  return number === null ? null : counted(number, one, many)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
