import { MOST_USD, TIME_FRAMES, VIEW_PARAMS } from '#chart/view-state.ts'
import { SORTS } from '#contracts/board.ts'
import { PAST_PARAM, readPastDay } from '#contracts/paths.ts'
import { CORRECTION_KINDS } from '#contracts/public-logs.ts'
import { findAsset } from '#domain/asset.ts'
import { readDay } from '#domain/day.ts'
import { OUTCOMES } from '#domain/judging/verdict.ts'
import { CLAIM_KINDS, HISTORY_COLUMNS, HISTORY_PARAMS } from '#domain/listing/history-view.ts'
import { SELECTION_PARAMS, STATUS_FILTERS } from '#domain/listing/selection.ts'
import { REPORT_STATES } from '#domain/report.ts'
import { SIDES } from '#domain/scoring/call-filter.ts'
import { failure } from '#server/kit/failure.ts'

/** Valid values of a parameter. */
type Rule = { readonly means: string; readonly is: (value: string) => boolean }

const oneOf = (words: readonly string[]): Rule => ({
  means: `one of ${words.join(', ')}`,
  is: (value) => words.includes(value),
})

const YEAR: Rule = {
  means: 'a year, such as 2021',
  is: (value) => /^(?:19[789]|2[01]\d)\d$/.test(value),
}
const YEAR_OF_BOARD: Rule = {
  means: 'a year from 2000, such as 2021',
  is: (value) => /^20\d\d$/.test(value),
}
const DAY: Rule = {
  means: 'a day, such as 2021-03-12',
  is: (value) => readPastDay(value) !== null,
}
const PAGE: Rule = {
  means: 'the number of a page, such as 2',
  is: (value) => /^[1-9]\d{0,5}$/.test(value),
}
const MODE = oneOf(['touch', 'close'])
const FRAME: Rule = {
  means: `one of ${TIME_FRAMES.join(', ')}`,
  is: (value) => TIME_FRAMES.some((frame) => frame === value.toUpperCase()),
}
/** Short views begin at a fraction of a day: `2025-10-01.25`. */
const MOMENT: Rule = {
  means: 'a day, such as 2025-10-01',
  is: (value) => /^\d{4}-\d\d-\d\d(?:\.\d\d)?$/.test(value) && readDay(value.slice(0, 10)) !== null,
}
const USD: Rule = {
  means: 'a price in USD, such as 50000',
  is: (value) => value.trim() !== '' && Math.abs(Number(value)) < MOST_USD,
}
const SORT: Rule = {
  means: `one of ${HISTORY_COLUMNS.join(', ')}, with a leading - for descending order`,
  is: (value) => HISTORY_COLUMNS.some((column) => column === value.replace(/^-/, '')),
}
const ASSET: Rule = { means: 'btc, mstr or naka', is: (value) => findAsset(value) !== null }

/** Parameters by kind of view; null accepts any value. */
export const FILTERS = {
  asset: {
    ...Object.fromEntries(
      [...VIEW_PARAMS, ...SELECTION_PARAMS, ...HISTORY_PARAMS].map((name) => [name, null]),
    ),
    frame: FRAME,
    scale: oneOf(['log', 'linear']),
    threads: oneOf(['on', 'off']),
    targets: oneOf(['count', 'votes']),
    from: MOMENT,
    to: MOMENT,
    low: USD,
    high: USD,
    multi: oneOf(['1']),
    hpage: PAGE,
    judge: MODE,
    status: oneOf(STATUS_FILTERS),
    hsort: SORT,
    hstatus: oneOf(OUTCOMES),
    hkind: oneOf(CLAIM_KINDS),
    hmade: YEAR,
    hdue: YEAR,
    hby: oneOf(['year']),
    [PAST_PARAM]: DAY,
  },
  board: {
    tab: null,
    mode: MODE,
    asset: ASSET,
    from: YEAR_OF_BOARD,
    to: YEAR_OF_BOARD,
    side: oneOf(SIDES),
    recorded: oneOf(['before', 'after']),
    sort: oneOf(SORTS),
    find: null,
  },
  said: { year: YEAR, person: null },
  // Files contain all pages, so `page` is not a parameter.
  today: { since: DAY, [PAST_PARAM]: DAY },
  corrections: { asset: ASSET, kind: oneOf(CORRECTION_KINDS), person: null, page: PAGE },
  reports: { state: oneOf(REPORT_STATES), prediction: null, page: PAGE },
  none: {},
} as const satisfies Readonly<Record<string, Readonly<Record<string, Rule | null>>>>

/** Pairs of filters that require the first to be less than, or at most, the second; on a dashboard each needs the other. */
const PAIRS: Readonly<
  Partial<Record<keyof typeof FILTERS, readonly (readonly [string, string])[]>>
> = {
  asset: [
    ['from', 'to'],
    ['low', 'high'],
  ],
  board: [['from', 'to']],
}

/** Values of filters by name. */
export type Filters = (name: string) => string | null

/**
 * Rejects unknown filters instead of ignoring them, so that a download never differs silently from the request.
 * @throws AppError `invalid`
 */
export function checkFilters(params: URLSearchParams, kind: keyof typeof FILTERS): Filters {
  const rules: Readonly<Record<string, Rule | null>> = FILTERS[kind]
  for (const [name, value] of params) {
    if (params.getAll(name).length > 1) {
      throw failure('invalid', `The filter ${name.slice(0, 60)} is given more than once.`)
    }
    if (!Object.hasOwn(rules, name)) {
      const known = Object.keys(rules)
      throw failure(
        'invalid',
        known.length === 0
          ? 'This view has no filters.'
          : `This view has no filter “${name.slice(0, 60)}”. It has: ${known.join(', ')}.`,
      )
    }
    const rule = rules[name] ?? null
    if (rule === null || rule.is(value)) continue
    throw failure(
      'invalid',
      `The filter ${name} is “${value.slice(0, 60)}”, but has to be ${rule.means}.`,
    )
  }
  const isBoard = kind === 'board'
  for (const [first, second] of PAIRS[kind] ?? []) {
    const [from, to] = [params.get(first), params.get(second)]
    if (from === null || to === null) {
      if (isBoard || from === to) continue
      throw failure('invalid', `The filters ${first} and ${second} go together.`)
    }
    const [low, high] = first === 'low' ? [Number(from), Number(to)] : [from, to]
    if (low < high || (isBoard && low === high)) continue
    throw failure('invalid', `The filter ${first} should be less than ${second}.`)
  }
  return (name) => params.get(name)
}
