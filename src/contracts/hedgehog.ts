import { type AssetKey } from '#domain/asset.ts'
import { type Day } from '#domain/day.ts'
import { OUTCOMES } from '#domain/judging/verdict.ts'
import { type AgainstLuck, type StatedCall } from '#domain/scoring/stated-calls.ts'
import { type PackedPrices } from './fields.ts'

export type HedgehogView = {
  /** Calls made in this year stand out; null shows all alike. */
  readonly year: number | null
  /** The slug of a person whose calls stand out. */
  readonly person: string | null
}

export const HEDGEHOG_ADDRESS = {
  read: (param: (name: string) => string | null): HedgehogView => ({
    year: /^[12]\d{3}$/.test(param('year') ?? '') ? Number(param('year')) : null,
    person: param('person')?.slice(0, 100) || null,
  }),
  write: ({ year, person }: HedgehogView) => ({
    year: year === null ? undefined : String(year),
    person: person ?? undefined,
  }),
}

export type HedgehogData = {
  readonly asset: AssetKey
  readonly assets: readonly AssetKey[]
  readonly view: HedgehogView
  /** Oldest first; the newest `MOST_SAID` of them. */
  readonly calls: PackedCalls
  readonly prices: PackedPrices
  /** All ended calls with luck; null while scores are computed. */
  readonly againstLuck: AgainstLuck | null
}

/** Maximum calls sent and drawn at once. */
export const MOST_SAID = 1_000

export type PackedCalls = {
  readonly people: readonly (readonly [slug: string, name: string])[]
  readonly calls: readonly PackedCall[]
}

type PackedCall = readonly [
  id: string,
  /** Index into `people`. */
  person: number,
  made: number,
  /** Days from `made` to its deadline. */
  days: number,
  from: number,
  level: number,
  /** Index into `OUTCOMES`. */
  outcome: number,
  flags: number,
  /** Rounded to five digits. */
  error: number | null,
]

export function packCalls(calls: readonly StatedCall[]): PackedCalls {
  const people = new Map(calls.map(({ slug, name }) => [slug, name]))
  const places = new Map([...people.keys()].map((slug, i) => [slug, i]))
  return {
    people: [...people],
    calls: calls.map((call) => [
      call.id,
      places.get(call.slug) ?? 0,
      call.made,
      call.due - call.made,
      call.from,
      call.level,
      OUTCOMES.indexOf(call.outcome),
      Number(call.isDecided) + 2 * Number(call.isRepeat),
      call.error === null ? null : Number(call.error.toPrecision(5)),
    ]),
  }
}

export function unpackCalls({ people, calls }: PackedCalls): StatedCall[] {
  return calls.map(([id, person, made, days, from, level, outcome, flags, error]) => {
    const [slug = '', name = ''] = people[person] ?? []
    return {
      id,
      slug,
      name,
      made: made as Day,
      due: (made + days) as Day,
      from,
      level,
      outcome: OUTCOMES[outcome] ?? 'void',
      isDecided: (flags & 1) !== 0,
      isRepeat: (flags & 2) !== 0,
      error,
    }
  })
}
