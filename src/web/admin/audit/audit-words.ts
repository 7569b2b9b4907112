import { type AuditEntry } from '#contracts/operations.ts'
import { ASSETS } from '#domain/asset.ts'
import { sentenceCase } from '#domain/sentence-case.ts'
import { showCount } from '#domain/price-text.ts'
import { addressOfDashboard } from '#web/admin/addresses.ts'
import { showTime } from '#web/ui/show-moment.ts'

const KINDS: Readonly<Record<string, string>> = {
  admin: 'Account',
  expert: 'Person',
  'price jump': 'Price jump',
  'price source': 'Price source',
  'social post': 'Post',
  'social settings': 'Automatic posts',
  'tweet queue': 'Link in the queue',
}

/** What an entry is about, as a kind: `Submission`. */
export function kindText(kind: string): string {
  return KINDS[kind] ?? sentenceCase(kind)
}

/** Who did it: a person by their name, else what it was. */
export function whoText(who: string): string {
  return who === 'visitor' ? 'A visitor' : who === 'server' ? 'The server' : who
}

/** What was done: `Submission approved`; of many at once how often. */
export function whatText({ action, after }: Pick<AuditEntry, 'action' | 'after'>): string {
  const times = numberOf(after?.['times'])
  return `${sentenceCase(action)}${times === null ? '' : `, ${showCount(times)} times`}`
}

/** What tells an entry apart from others of its action, in a few words; null where its name and its reason say all. */
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
      return Array.isArray(row.after?.['ids'])
        ? showNumber(row.after['ids'].length, 'link', 'links')
        : null
    case 'daily ranges published':
      return joined(
        [
          countText(row.after?.['days'], 'day', 'days'),
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

/** The screen that shows what an entry is about; null where there is none. */
export function addressOf({
  kind,
  subject,
  about,
  after,
}: Pick<AuditEntry, 'kind' | 'subject' | 'about'> & Partial<Pick<AuditEntry, 'after'>>):
  | string
  | null {
  if (subject === null) return kind === 'social settings' ? '/admin/publish' : null
  if (about === null) return null
  const id = encodeURIComponent(subject)
  switch (kind) {
    case 'submission':
      return `${addressOfDashboard(about.asset_type ?? ASSETS.btc.key)}?tab=all&open=${id}`
    case 'prediction':
      return `/admin/predictions?open=${id}`
    case 'expert':
      return `/admin/experts?open=${id}`
    case 'payment':
      return `/admin/payments?open=${id}`
    case 'tweet queue':
      return `/admin/queue?item=${id}`
    case 'goalpost':
      return '/admin/goalposts'
    case 'report':
      return '/admin/reports?state=all'
    case 'reply':
      return `/admin/replies?state=${textOf(after?.['state']) ?? 'waiting'}`
    case 'admin':
      return '/admin/accounts'
    case 'social post':
      return '/admin/publish'
    case 'price source':
    case 'price jump':
    case 'prices':
      return '/admin/operations'
    default:
      return null
  }
}

function joined(parts: readonly (string | null | undefined)[], by: string): string | null {
  const texts = parts.filter((part) => part !== null && part !== undefined && part !== '')
  return texts.length === 0 ? null : texts.join(by)
}

function prefixed(word: string, text: string | null | undefined): string | null {
  return text ? `${word}${text}` : null
}

function countText(count: unknown, one: string, many: string): string | null {
  const number = numberOf(count)
  return number === null ? null : showNumber(number, one, many)
}

function showNumber(count: number, one: string, many: string): string {
  return `${showCount(count)} ${count === 1 ? one : many}`
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
