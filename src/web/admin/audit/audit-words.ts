import { type AuditEntry } from '#contracts/operations.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { counted, sentenceCase, showCount } from '#domain/price-text.ts'
import { addressOfDashboard, PUBLISH } from '#web/admin/addresses.ts'
import { showTime } from '#web/ui/show.ts'

const KINDS: Readonly<Record<string, string>> = {
  admin: 'Account',
  expert: 'Person',
  'price jump': 'Price jump',
  'price source': 'Price source',
  'social post': 'Post',
  'social settings': 'Automatic posts',
  'tweet queue': 'Link in the queue',
}

export function kindText(kind: string): string {
  return KINDS[kind] ?? sentenceCase(kind)
}

export function whoText(who: string): string {
  return who === 'visitor' ? 'A visitor' : who === 'server' ? 'The server' : who
}

/** The action: `Submission approved`; with a count for bulk actions. */
export function whatText({ action, after }: Pick<AuditEntry, 'action' | 'after'>): string {
  const times = numberOf(after?.['times'])
  return `${sentenceCase(action)}${times === null ? '' : `, ${showCount(times)} times`}`
}

/** Details that distinguish entries with the same action; null if the subject and the reason are enough. */
export function detailText(row: Pick<AuditEntry, 'action' | 'before' | 'after'>): string | null {
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
}: Pick<AuditEntry, 'kind' | 'subject' | 'about'> & Partial<Pick<AuditEntry, 'after'>>):
  | string
  | null {
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
