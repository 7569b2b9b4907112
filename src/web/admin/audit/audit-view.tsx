import { Link } from 'wouter'
import { exportAudit, listAudit, type AuditRow } from '#contracts/operations.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { counted, sentenceCase, showCount } from '#domain/price-text.ts'
import { addressOfDashboard, PUBLISH } from '#web/admin/addresses.ts'
import { type Column, column } from '#web/admin/kit/admin-table.tsx'
import { Changes } from '#web/admin/kit/changes.tsx'
import { AdminList, ListTools, useList } from '#web/admin/kit/list.tsx'
import { AdminPage } from '#web/admin/kit/screen.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Row, Stack, Quiet } from '#web/ui/primitives.tsx'
import { showTime } from '#web/ui/show.ts'
import { useParams } from '#web/ui/use-params.ts'

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
  const only = list.query.data?.rows.find(({ subject }) => subject === values.id)
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
            Only {only?.about?.name ?? values.id} ✕
            <span className="aside-voice">, show all again</span>
          </Button>
        )}
        {exportAs('csv', 'CSV')}
        {exportAs('jsonl', 'JSON lines')}
      </Row>
      <AdminList
        label="Audit log"
        list={list}
        columns={COLUMNS}
        idOf={({ id }) => String(id)}
        empty="No matching entries."
        renderDetail={(row) => <Changes row={row} />}
      />
    </AdminPage>
  )
}

const COLUMNS: readonly Column<AuditRow>[] = [
  column.title('What', (row) => {
    const detail = detailText(row)
    return [whatText(row), detail && <bdi key="detail">: {detail}</bdi>]
  }),
  column.moment('When', ({ at }) => at),
  column.short('Who', ({ who }) => whoText(who)),
  column.text('About', (row) => <About row={row} />),
  column.text('Reason', ({ reason }) => reason),
]

function About({ row }: { readonly row: AuditRow }) {
  const [, change] = useParams()
  const { kind, subject, about } = row
  const name = about?.name ?? subject
  const to = addressOf(row)
  return (
    <Stack gap={1}>
      {name !== null && (
        <bdi title={subject ?? undefined}>{to === null ? name : <Link to={to}>{name}</Link>}</bdi>
      )}
      <Row gap={2}>
        <Quiet>{kindText(kind)}</Quiet>
        {subject !== null && (
          <Button
            look="quiet"
            size="small"
            onClick={() => change({ kind, id: subject, page: null, open: null })}
          >
            Only this<span className="aside-voice">: {name}</span>
          </Button>
        )}
      </Row>
    </Stack>
  )
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

type Recorded = NonNullable<AuditRow['after']>

/** A text with the word before it; nothing for other values. */
const textIn = (recorded: Recorded | null | undefined, field: string, before = ''): string[] => {
  const text = recorded?.[field]
  return typeof text === 'string' && text !== '' ? [before + text] : []
}
const countIn = (count: unknown, one: string, many?: string): string[] =>
  typeof count === 'number' ? [counted(count, one, many)] : []

/** The action: `Submission approved`; with a count for bulk actions. */
export function whatText({ action, after }: Pick<AuditRow, 'action' | 'after'>): string {
  const times = after?.['times']
  return `${sentenceCase(action)}${typeof times === 'number' ? `, ${showCount(times)} times` : ''}`
}

/** What distinguishes entries with the same action, where the subject and the reason do not. */
const DETAILS: Readonly<Record<string, (after: Recorded, before: Recorded) => readonly string[]>> =
  {
    'signed in': (after) => [
      [...textIn(after, 'how', 'by '), ...textIn(after, 'address', 'from ')].join(' '),
    ],
    'sign-in failed': refusalOf,
    'sign-in locked out': refusalOf,
    'call refused': refusalOf,
    'token created': (after) => textIn(after, 'name'),
    'token revoked': (after) => textIn(after, 'name'),
    'passkey added': (after) => textIn(after, 'name'),
    'passkey removed': (_after, before) => textIn(before, 'name'),
    'admin created': (after) => textIn(after, 'role'),
    'role set': (after) => textIn(after, 'role'),
    'links added': ({ ids }) => (Array.isArray(ids) ? [counted(ids.length, 'link')] : []),
    'daily ranges published': ({ days, verdicts }) => [
      ...countIn(days, 'day'),
      ...countIn(verdicts, 'verdict changed', 'verdicts changed'),
    ],
  }

export function detailText({
  action,
  before,
  after,
}: Pick<AuditRow, 'action' | 'before' | 'after'>): string | null {
  return DETAILS[action]?.(after ?? {}, before ?? {}).join(', ') || null
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

function refusalOf(after: Recorded): readonly string[] {
  const times = [...textIn(after, 'from'), ...textIn(after, 'to')].map(showTime)
  const between = [...new Set(times)]
  return [
    ...textIn(after, 'call'),
    ...textIn(after, 'why').map((why) => WHY[why] ?? why),
    ...textIn(after, 'address', 'from ').map((one) => PLACES[one] ?? one),
    ...(between.length === 2 ? [`between ${between.join(' and ')}`] : []),
  ]
}

const PLACES: Readonly<Record<string, string>> = { 'from several': 'from several networks' }

type Subject = Pick<AuditRow, 'kind' | 'subject' | 'about'> & Partial<Pick<AuditRow, 'after'>>

export function addressOf({ kind, subject, about, after }: Subject): string | null {
  if (subject === null) return kind === 'social settings' ? PUBLISH : null
  const [state = 'waiting'] = textIn(after, 'state')
  const asset = about?.asset_type ?? ASSETS.btc.key
  return (about && ADDRESSES[kind]?.(encodeURIComponent(subject), asset, state)) ?? null
}

const ADDRESSES: Readonly<Record<string, (id: string, asset: AssetKey, state: string) => string>> =
  {
    submission: (id, asset) => `${addressOfDashboard(asset)}?tab=all&open=${id}`,
    prediction: (id) => `/admin/predictions?open=${id}`,
    expert: (id) => `/admin/experts?open=${id}`,
    payment: (id) => `/admin/payments?open=${id}`,
    'tweet queue': (id) => `/admin/queue?item=${id}`,
    goalpost: () => '/admin/goalposts',
    report: () => '/admin/reports?state=all',
    reply: (_id, _asset, state) => `/admin/replies?state=${state}`,
    admin: () => '/admin/accounts',
    'social post': () => PUBLISH,
    'price source': () => '/admin/operations',
    'price jump': () => '/admin/operations',
    prices: () => '/admin/operations',
  }
