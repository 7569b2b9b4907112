// Over 400 lines: what lists and dashboards must show, computed a second time from the whole record.

import { type LightMyRequestResponse } from 'fastify'
import { expect, it } from 'vitest'
import { openingDays } from '#chart/axes.ts'
import { listedCalls, type DashboardPart } from '#contracts/dashboard.ts'
import { type PredictionRow } from '#contracts/predictions.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { levelsOf, timingOf } from '#domain/claim/claim.ts'
import { dueDay } from '#domain/claim/prediction.ts'
import { readSearch, type Span, type Search } from '#domain/claim/search.ts'
import { typeLabel } from '#domain/claim/text.ts'
import { day, dayOf, isoDay, partsOf, type Day } from '#domain/day.ts'
import {
  JUDGE_MODES,
  type JudgeMode,
  type Outcome,
  OUTCOMES,
  outcomeWord,
} from '#domain/judging/verdict.ts'
import { median } from '#domain/level-figures.ts'
import {
  historyFigures,
  historyYears,
  PAGE_ROWS,
  CLAIM_KINDS,
  HISTORY_COLUMNS,
} from '#domain/listing/history-view.ts'
import {
  CARDS,
  MORE_CARDS,
  MOST_DRAWN,
  questionParams,
  type Question,
} from '#domain/listing/part.ts'
import { OPENING_SELECTION, STATUS_FILTERS, type Active } from '#domain/listing/selection.ts'
import { byName, foldName } from '#domain/people/name.ts'
import { randomOf } from '#domain/scoring/replay.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { dashboardPart } from '#server/predictions/dashboard.service.ts'
import { drawnIds } from '#server/record/list-page.ts'
import { type ListQuery, type Place } from '#server/record/list-query.ts'
import { barsOn } from '#server/record/prices.ts'
import { noteCalls } from '#server/scores/scores.rows.ts'
import { entry } from '#tests/support/builders.ts'
import { rounds } from '#tests/support/deep.ts'
import { manyEntries, walk } from '#tests/support/many.ts'
import { onceForFile } from '#tests/support/once-for-file.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import { testApp } from '#tests/support/test-app.ts'

const PAST = day('2021-06-30')
/** The limit of drawn predictions: fewer than most queries match. */
const FEW = 15
const DECIDED = entry('decided', {
  prediction_made: '2021-01-01',
  target_time: '2021-06-30',
  price_target: 900_000,
})
const NEWEST = { id: 'newest', prediction_made: '2026-01-01', target_time: '2027-01-01' }
/** The day of Strategy's ten-for-one split. */
const SPLIT = '2019-03-01'

/** Bitcoin and Strategy, with votes, handles, a split, withdrawn, frozen and overridden predictions. */
const site = onceForFile(async () => {
  const world = await testApp()
  const { imports, database, refresh } = world
  const stock = (one: object, n: number) => ({
    ...one,
    asset_type: 'mstr',
    ...(n % 2 === 0 && { x_handle: `the_${String(n % 7)}.fox` }),
    summary: 'Ein Wort: Kurs über 50 $, 比特币涨',
  })
  for (const asset of ['btc', 'mstr'] as const) await imports.prices(asset, walk(), 'test')
  await imports.predictions(
    JSON.stringify([...manyEntries(450), DECIDED, ...manyEntries(150, 'stock').map(stock)]),
  )
  await database.sql(`
    insert into corporate_actions (asset, day, ratio) values ('mstr', '${SPLIT}', 10);
    update predictions set created_at = now() - length(id) * interval '1 day';
    update predictions set vote_score = 21 * length(id) where id like '%-1%';
    update predictions set exclude_from_chart = true where id like '%7'`)
  const admin = await signedIn(world)
  const rule = { mode: 'both', outcome: 'hit', reason: 'A test' }
  for (const [ids, verb, body] of [
    [['many-3', 'many-203', 'stock-3'], 'withdraw', { reason: 'Never said' }],
    [['many-4', 'stock-4'], 'freeze', { reason: 'In dispute' }],
    [['many-5', 'many-6', 'stock-5'], 'override', rule],
    [['many-8'], 'override', { ...rule, mode: 'touch', outcome: 'void' }],
  ] as const) {
    for (const id of ids) {
      const url = `/api/v1/admin/predictions/${id}/${verb}`
      const { status } = await admin.call('POST', url, { version: 0, ...body })
      if (status !== 200) throw new Error(url)
    }
  }
  await imports.judge()
  await refresh()
  const all = await world.record.list({})
  for (const mode of JUDGE_MODES) {
    const calls = all.map(({ id, odds }) => ({
      id,
      luck: odds?.[mode].luck ?? null,
      repeats: null,
    }))
    await noteCalls(database.db, mode, calls)
  }
  const known = new Map<Day | null, readonly JudgedPrediction[]>()
  for (const asOf of [null, PAST]) known.set(asOf, await world.record.list({ asOf }))
  return { ...world, admin, known }
})

/** Everything on record, now or then, in any order. */
const everything = (asOf: Day | null, asset?: AssetKey) =>
  (site().known.get(asOf) ?? []).filter((one) => asset === undefined || one.asset === asset)

const within = ({ first, last }: Span, at: Day) => at >= first && at <= last

function fits(search: Search, one: JudgedPrediction, asOf: Day | null): boolean {
  const { expert, statedClaim: message, claim, summary, verdicts, asset } = one
  const { outcome } = verdicts.touch
  const name = foldName(expert.name)
  const about = `${ASSETS[asset].symbol} ${ASSETS[asset].name} ${typeLabel(message.type)} ${outcome} ${outcomeWord(outcome)}`
  const parts = [name, name.replaceAll(' ', ''), foldName(expert.handle ?? ''), foldName(about)]
  const text = ` ${[...parts, asOf === null ? foldName(summary) : ''].join(' ')}`
  const levels = [levelsOf(message), levelsOf(claim)]
  return (
    search.timings.every((timing) => timingOf(one.statedClaim) === timing) &&
    search.words.every((word) =>
      text.includes(/^[\p{sc=Latn}\d]/u.test(word) ? ` ${word}` : word),
    ) &&
    search.levels.every((usd) => levels.some(({ min, max }) => usd >= min && usd <= max)) &&
    search.digits.every((start) =>
      levels.some((level) => Object.values(level).some((usd) => String(usd).startsWith(start))),
    ) &&
    search.spans.every((span) => within(span, one.made) || within(span, one.by))
  )
}

function isAfter({ made, id, isByRecording }: Place, one: JudgedPrediction): boolean {
  const order = isByRecording ? newestFirst(null) : byDay
  return (
    order(one, { ...everything(null).find((each) => each.id === id), made, id } as typeof one) > 0
  )
}

function meets(query: ListQuery, one: JudgedPrediction): boolean {
  const { mode = 'touch', asOf = null, words, after } = query
  const { id, made, by, expert, statedClaim: message, verdicts } = one
  const all: readonly (readonly [unknown, () => boolean])[] = [
    [query.asset, () => one.asset === query.asset],
    [asOf, () => asOf !== null && made <= asOf],
    [query.outcomes, () => query.outcomes?.includes(verdicts[mode].outcome) === true],
    [query.kind, () => message.type === query.kind],
    [query.experts, () => query.experts?.includes(expert.slug) === true],
    [query.expertIds, () => query.expertIds?.includes(expert.id) === true],
    [words, () => !words || fits(words, one, asOf)],
    [query.made, () => !query.made || within(query.made, made)],
    [query.due, () => !query.due || within(query.due, by)],
    [query.notDue, () => !query.notDue || !within(query.notDue, by)],
    [query.ids, () => query.ids?.includes(id) === true],
    [query.not, () => query.not?.includes(id) === false],
    [after, () => !after || isAfter(after, one)],
    [query.source, () => one.sources.some(({ url }) => url.includes(query.source ?? ''))],
    [query.isDrawn, () => !query.isDrawn || !one.excludeFromChart],
    [query.isAimed, () => !query.isAimed || (message.type !== 'top' && message.type !== 'bottom')],
  ]
  return all.every(([request, isMet]) => request === undefined || request === null || isMet())
}

type Order = (a: JudgedPrediction, b: JudgedPrediction) => number
const inText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const byDay: Order = (a, b) => b.made - a.made || inText(a.id, b.id)
/** A past day does not show when predictions were recorded, nor their votes. */
const newestFirst = (asOf: Day | null): Order =>
  asOf === null
    ? (a, b) => b.made - a.made || inText(b.createdAt, a.createdAt) || inText(a.id, b.id)
    : byDay
const supportedFirst = (asOf: Day | null): Order =>
  asOf === null ? (a, b) => b.voteScore - a.voteScore || newestFirst(null)(a, b) : byDay

const STATUS = { pending: 'pending', success: 'hit', miss: 'miss' } as const
const countOf = (ones: readonly JudgedPrediction[], mode: JudgeMode) => {
  const of = (outcome: Outcome) =>
    ones.filter((one) => one.verdicts[mode].outcome === outcome).length
  const [pending, success, miss] = [of('pending'), of('hit'), of('miss')]
  return { all: pending + success + miss, pending, success, miss }
}
const peopleOf = (ones: readonly JudgedPrediction[]) =>
  [...Map.groupBy(ones, ({ expert }) => expert.slug)]
    .map(([slug, own]) => ({ slug, name: own[0]?.expert.name ?? '', predictions: own.length }))
    .toSorted((a, b) => b.predictions - a.predictions || byName(a.name, b.name))
const yearsOf = (ones: readonly JudgedPrediction[], of: 'made' | 'by') =>
  [...new Set(ones.map((one) => partsOf(one[of]).year))].toSorted((a, b) => b - a)
const idsOf = (ones: readonly { readonly id: string }[]) => ones.map(({ id }) => id)

/** Levels before a split are equal to twelve digits. */
const rounded = <Row extends { readonly error: number | null }>(row: Row) => ({
  ...row,
  error: row.error && row.error.toPrecision(10),
})

function chooser(name: string) {
  const random = randomOf(name)
  const one = <Value>(of: readonly Value[]): Value => of[Math.floor(random() * of.length)] as Value
  const some = () =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, () => one(everything(null)))
  const now = <Value>(make: () => Value, share = 0.15) => (random() < share ? make() : undefined)
  return { one, some, now }
}

const SEARCHES =
  'expert 1|EXPERT1 miss|100k|$45,000|2021|dec 2019|target|said 30|not above|btc 1|the 4|fox|strategy 5|über kurs|涨|币涨|pend|1|$4500|no such words|the_4 2018-05|at the end|on that day 100k'.split(
    '|',
  )

it('a list, its count, people and years are exactly those the query names', async () => {
  const { record } = site()
  expect(everything(null)).toHaveLength(601 - 3)
  const { one, some, now } = chooser('lists')
  const year = (): Span => {
    const of = one([2015, 2018, 2019, 2021, 2023])
    return { first: dayOf(of, 1, 1), last: dayOf(of, 12, 31) }
  }
  let seen = 0
  for (let n = 0; n < rounds(60, 600); n += 1) {
    const [slugs, search] = [some().map(({ expert }) => expert), now(() => one(SEARCHES), 0.4)]
    const asOf = one([null, null, PAST])
    const query: ListQuery = JSON.parse(
      JSON.stringify({
        asset: now(() => one(['btc', 'mstr', 'naka'] as const), 0.6),
        mode: now(() => one(JUDGE_MODES), 0.6),
        asOf,
        outcomes: now(() => [one(OUTCOMES), one(OUTCOMES)], 0.3),
        kind: now(() => one(CLAIM_KINDS)),
        experts: now(() => slugs.map(({ slug }) => slug)),
        expertIds: now(() => slugs.map(({ id }) => id)),
        words: search === undefined ? undefined : readSearch(search),
        made: now(year),
        due: now(year),
        notDue: now(year),
        ids: now(() => idsOf([...some(), { id: 'many-3' }]), 0.1),
        not: now(() => idsOf(some())),
        after: now(() => {
          const { made, id, createdAt } = one(everything(asOf))
          return { made, id, createdAt, isByRecording: one([true, false]) }
        }),
        source: now(() => one(['example.org/many/1', 'stock', '_', 'none'])),
        isDrawn: now(() => true),
        isAimed: now(() => true),
      }),
    ) as ListQuery
    const fitting = everything(asOf).filter((each) => meets(query, each))
    const found = fitting.toSorted(newestFirst(asOf))
    seen += found.length
    const questions = [
      idsOf(await record.list(query)),
      await record.ids(query, { limit: 7, offset: 5 }),
      await record.figures(query),
      (await record.people(query)).map(({ slug, name, predictions }) => ({
        slug,
        name,
        predictions,
      })),
    ]
    const first = Math.min(...found.map(({ made }) => made)) as Day
    expect([query, ...questions]).toEqual([
      query,
      idsOf(found),
      idsOf(found.slice(5, 12)),
      {
        total: found.length,
        counts: { touch: countOf(found, 'touch'), close: countOf(found, 'close') },
        made: yearsOf(found, 'made'),
        due: yearsOf(found, 'by'),
        first: found.length === 0 ? null : isoDay(first),
      },
      peopleOf(found),
    ])
  }
  expect(seen).toBeGreaterThan(500)
})

/** The initial selection of a chart: see `drawnIds`. */
function leading(
  scope: readonly JudgedPrediction[],
  most: number,
  question: Question,
  asset: AssetKey,
) {
  const { mode, past } = question
  const counted = scope.filter((one) => isDrawn(one, 'all', mode))
  const [from, to] = openingDays(ASSETS[asset].axis, past ?? site().record.today())
  const timely = counted.filter((one) => one.made >= from && one.by <= to)
  const high = ({ claim }: JudgedPrediction) => levelsOf(claim).max
  const near = timely.filter(
    (one) => past !== null || high(one) <= 3 * (median(timely.map(high)) ?? 0),
  )
  const votes = (one: JudgedPrediction) => (past === null ? one.voteScore : 0)
  const calls = new Map(peopleOf(counted).map((person) => [person.slug, person.predictions]))
  const callsOf = ({ expert }: JudgedPrediction) => calls.get(expert.slug) ?? 0
  const order: Order = (a, b) => votes(b) - votes(a) || callsOf(b) - callsOf(a) || byDay(a, b)
  const left = near.toSorted(order)
  const chosen: JudgedPrediction[] = []
  const take = (matches: (one: JudgedPrediction) => boolean): boolean => {
    const place = chosen.length < most ? left.findIndex(matches) : -1
    if (place >= 0) chosen.push(...left.splice(place, 1))
    return place >= 0
  }
  const isNew = (one: JudgedPrediction) => !chosen.some(({ expert }) => expert.id === one.expert.id)
  while (take((one) => votes(one) > 0 && isNew(one)));
  for (const isAllowed of [isNew, () => true]) {
    const turn = () =>
      (['hit', 'miss', 'pending'] as const).map((outcome) =>
        take((one) => isAllowed(one) && one.verdicts[mode].outcome === outcome),
      )
    while (turn().includes(true));
  }
  return chosen.toSorted(order)
}

function hasStatus(one: JudgedPrediction, status: keyof typeof STATUS | 'all', mode: JudgeMode) {
  const { outcome } = one.verdicts[mode]
  return status === 'all' ? outcome !== 'void' : outcome === STATUS[status]
}
const isDrawn = (one: JudgedPrediction, status: keyof typeof STATUS | 'all', mode: JudgeMode) =>
  !one.excludeFromChart && hasStatus(one, status, mode)

function drawn(asset: AssetKey, question: Question, most = MOST_DRAWN) {
  const { selection, mode, past, days } = question
  const { active, experts, search } = selection
  const base = everything(past, asset)
  const theirs = base.filter(({ expert }) => experts.length === 0 || experts.includes(expert.slug))
  if ('leading' in active) {
    const ones = leading(theirs, active.leading, question, asset)
    return { total: ones.length, ids: idsOf(ones) }
  }
  const byHand = 'ids' in active ? active.ids : (active.and ?? [])
  const put = byHand.filter((id) => base.some((one) => one.id === id))
  if ('ids' in active) return { total: put.length, ids: put.slice(0, most) }
  const off = [...(active.without ?? []), ...byHand]
  const others = theirs
    .filter((one) => isDrawn(one, active.status, mode) && !off.includes(one.id))
    .filter((one) => fits(readSearch(search), one, past))
    .toSorted(supportedFirst(past))
  const isSeen = (one: JudgedPrediction) => {
    if (!days) return true
    const isDecided = JUDGE_MODES.some((each) => {
      const { day: at } = one.verdicts[each]
      return at !== null && at >= days[0] && at <= days[1]
    })
    const start = one.statedClaim.type === 'target' ? dueDay(one) : one.made
    return isDecided || (start <= days[1] && dueDay(one) >= days[0])
  }
  const first = [...others.filter(isSeen), ...others.filter((one) => !isSeen(one))]
  const remaining = new Set(first.slice(0, Math.max(0, most - put.length)))
  return {
    total: others.length + put.length,
    ids: [...idsOf(others.filter((one) => remaining.has(one))), ...put.slice(0, most)],
  }
}

async function history(asset: AssetKey, { mode, history: view, past }: Question) {
  const bars = barsOn(await site().record.prices(), asset, past)
  const closes = { days: bars.map((bar) => bar.day), closes: bars.map((bar) => bar.close) }
  const base = everything(past, asset)
  const requested = view.search.trim().toLowerCase()
  const byId = new Map(base.map((one) => [one.id, one]))
  const rows = historyFigures(base, mode, closes).filter(
    ({ outcome, prediction: { statedClaim: message, made, by, expert } }) =>
      (view.status === null || outcome === view.status) &&
      (view.kind === null || message.type === view.kind) &&
      (view.made === null || partsOf(made).year === view.made) &&
      (view.due === null || partsOf(by).year === view.due) &&
      expert.name.toLowerCase().includes(requested),
  )
  const stage = { hit: 0, miss: 0, pending: 1, void: 2 }
  type Row = (typeof rows)[number]
  const figure = (value: number | null) => value ?? -Number.MAX_VALUE
  const sign = view.descending ? -1 : 1
  const keys: Readonly<Record<string, (row: Row) => readonly number[]>> = {
    prediction: ({ prediction }) => [levelsOf(prediction.claim).min],
    made: ({ prediction }) => [prediction.made],
    target: ({ prediction }) => [prediction.by],
    price: ({ priceThen }) => [figure(priceThen)],
    error: ({ error }) => [figure(error)],
    luck: ({ luck }) => [figure(luck)],
    status: ({ outcome, prediction: { by, verdicts } }) => {
      const decided = verdicts[mode].day ?? by
      return [stage[outcome], outcome === 'pending' ? decided : 0 - decided]
    },
  }
  const compare = (a: Row, b: Row): number => {
    if (view.sort === 'expert') {
      const [one, other] = [a.prediction.expert.name, b.prediction.expert.name]
      return sign * (byName(one, other) || inText(one, other))
    }
    const [of, other] = [keys[view.sort]?.(a) ?? [], keys[view.sort]?.(b) ?? []]
    return sign * (of.map((key, i) => key - (other[i] ?? 0)).find((by) => by !== 0) ?? 0)
  }
  const judged = ({ prediction: { id } }: Row) => byId.get(id) as JudgedPrediction
  const sorted = rows.toSorted((a, b) => compare(a, b) || byDay(judged(a), judged(b)))
  const page = Math.min(view.page, Math.max(0, Math.ceil(rows.length / PAGE_ROWS) - 1))
  return {
    total: rows.length,
    page,
    ids: idsOf(sorted.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS).map(judged)),
    made: yearsOf(base, 'made'),
    due: yearsOf(base, 'by'),
    years: view.byYear ? historyYears(rows).map(rounded) : [],
  }
}

async function visibleRows(asset: AssetKey, question: Question) {
  const { selection, mode, past } = question
  const { experts, filter, search } = selection
  const base = everything(past, asset)
  const scope = base
    .filter(({ expert }) => experts.length === 0 || experts.includes(expert.slug))
    .filter((one) => fits(readSearch(search), one, past))
  const cards = scope.filter((one) => filter === 'all' || hasStatus(one, filter, mode))
  return {
    total: base.length,
    counts: { touch: countOf(scope, 'touch'), close: countOf(scope, 'close') },
    totals: { touch: countOf(base, 'touch'), close: countOf(base, 'close') },
    chosen: peopleOf(base)
      .filter(({ slug }) => experts.includes(slug))
      .toSorted((a, b) => byName(a.name, b.name)),
    listed: { total: cards.length, ids: idsOf(cards.toSorted(newestFirst(past)).slice(0, CARDS)) },
    drawn: drawn(asset, question),
    history: await history(asset, question),
  }
}

function inShort({ total, counts, totals, chosen, listed, drawn, history, rows }: DashboardPart) {
  const idsAt = (places: readonly number[]) => places.map((place) => rows[place]?.id)
  const { rows: table, has_luck: _, ...rest } = history
  return {
    total,
    counts,
    totals,
    chosen,
    listed: { total: listed.total, ids: idsAt(listed.rows) },
    drawn: { total: drawn.total, ids: idsAt(drawn.rows) },
    history: { ...rest, years: rest.years.map(rounded), ids: idsAt(table.map(({ at }) => at)) },
  }
}

it('a dashboard equals the one computed from the whole record, now and on a past day', async () => {
  const { record } = site()
  const { one, some } = chooser('dashboards')
  for (let n = 0; n < rounds(45, 400); n += 1) {
    const [status, asset] = [one(STATUS_FILTERS), one(['btc', 'btc', 'mstr'] as const)]
    const question: Question = {
      selection: {
        ...OPENING_SELECTION,
        filter: one(STATUS_FILTERS),
        experts: one([[], [], some().map(({ expert }) => expert.slug)]),
        search: one(['', '', one(SEARCHES)]),
        active: one<Active>([
          { leading: 12 },
          { status: 'all' },
          { status },
          { status, without: idsOf(some()), and: idsOf(some()) },
          { ids: one([[], idsOf(some())]) },
        ]),
      },
      mode: one(JUDGE_MODES),
      history: {
        sort: HISTORY_COLUMNS[n % HISTORY_COLUMNS.length] ?? 'status',
        descending: n % 16 < 8,
        status: one([null, null, ...OUTCOMES]),
        kind: one([null, null, null, ...CLAIM_KINDS]),
        made: one([null, null, 2018]),
        due: one([null, null, 2020]),
        search: one(['', '', '', 'expert 2']),
        byYear: one([false, true]),
        page: one([0, 0, 1, 99]),
      },
      days: one([null, [day('2018-03-01'), day('2018-05-31')] as const]),
      past: one([null, null, PAST]),
      isWholePage: true,
    }
    const params = questionParams(question)
    const request = new Map(Object.entries(params))
    const read = { ...question, selection: { ...question.selection } }
    // Selected experts are listed with all of their predictions, each once.
    read.selection.experts = [...new Set(question.selection.experts)]
    if (read.selection.experts.length > 0 && !request.has('on'))
      read.selection.active = { status: 'all' }
    const part = await dashboardPart(record, asset, (name) => request.get(name) ?? null)
    expect([asset, params, inShort(part)]).toEqual([asset, params, await visibleRows(asset, read)])
    // If a chart cannot show all: those added by hand, those in view, then the most supported others.
    const { selection, mode, days, past: asOf } = read
    const few = await drawnIds(record, { asset, selection, mode, days, asOf }, FEW)
    expect([asset, params, few]).toEqual([asset, params, drawn(asset, read, FEW)])
  }
})

it('pages of a list neither skip nor repeat rows, even when one is withdrawn or inserted in between', async () => {
  const { app, admin, record, refresh, imports } = site()
  const all = await record.list({ asset: 'btc' })
  const whole = (await app.inject('/api/predictions')).json<PredictionRow[]>()
  expect(idsOf(whole)).toEqual(idsOf(all.toSorted(byDay)))
  const seen: string[] = []
  let url: string | undefined = '/api/predictions?limit=60'
  for (let page = 0; url !== undefined; page += 1) {
    const answer: LightMyRequestResponse = await app.inject(url)
    seen.push(...idsOf(answer.json<PredictionRow[]>()))
    const next: string | undefined = /<([^>]+)>; rel="next"/.exec(
      String(answer.headers['link']),
    )?.[1]
    url = next?.replace(/^https?:\/\/[^/]+/, '')
    if (page !== 1) continue
    // Withdraws one prediction of a loaded page, and the first of the next page.
    for (const id of [seen[30] ?? '', all.find((one) => !seen.includes(one.id))?.id ?? '']) {
      const path = `/api/v1/admin/predictions/${id}/withdraw`
      await admin.call('POST', path, { version: 0, reason: 'Never said' })
    }
    // Adds one that sorts before everything loaded.
    await imports.predictions(JSON.stringify([{ ...DECIDED, ...NEWEST }]))
    await refresh()
  }
  const left = idsOf((await record.list({ asset: 'btc' })).toSorted(byDay))
  expect(new Set(seen).size).toBe(seen.length)
  expect(left.filter((id) => !seen.includes(id))).toEqual([NEWEST.id])
  expect(new Set([...seen, NEWEST.id])).toEqual(new Set([...left, seen[30]]))
})

it('a list continues after a row that is gone, and with people under their former addresses', async () => {
  const { record, database } = site()
  const all = await record.list({ asset: 'mstr' })
  const place = all.findIndex(({ made }, n) => made === all[n + 1]?.made)
  const made = all[place]?.made
  if (made === undefined) throw new Error('no day has two predictions')
  const after = { made, createdAt: '2100-01-01T00:00:00Z', id: 'gone', isByRecording: true }
  expect(idsOf(await record.list({ asset: 'mstr', after }))).toEqual(idsOf(all.slice(place)))

  const [known, other] = [...new Map(all.map(({ expert }) => [expert.id, expert])).values()]
  if (!known || !other) throw new Error('too few people')
  await database.sql(
    'insert into influencer_slugs (slug, influencer_id, replaced_at) values ($1, $3, now()), ($2, $3, now())',
    ['former', other.slug, known.id],
  )
  const own = idsOf(all.filter(({ expert }) => expert.id === known.id))
  expect(await record.ids({ asset: 'mstr', experts: ['former'] })).toEqual(own)
  const { id } = other
  const others = idsOf(all.filter(({ expert }) => expert.id === id))
  expect(await record.ids({ asset: 'mstr', experts: [other.slug] })).toEqual(others)
})

it('more cards continue after the last one, and a cursor of another list is refused', async () => {
  const { app, record } = site()
  const dashboard = (query: string) => app.inject(`/api/v1/assets/btc/dashboard?${query}`)
  const calls = (query: string) => app.inject(`/api/v1/assets/btc/calls?${query}`)
  for (const [query, of] of [
    ['status=miss&judge=close&q=expert', { mode: 'close', outcomes: ['miss'] }],
    ['day=2021-06-30', { asOf: PAST }],
  ] as const) {
    const { listed, rows } = (await dashboard(query)).json<DashboardPart>()
    const seen = idsOf(listed.rows.flatMap((place) => rows[place] ?? []))
    for (let next = listed.next; next !== null;) {
      const page = listedCalls.reply.parse((await calls(`${query}&cursor=${next}`)).json())
      expect([page.total, page.rows.length <= MORE_CARDS]).toEqual([listed.total, true])
      seen.push(...idsOf(page.rows))
      next = page.next
    }
    expect(seen).toEqual(idsOf(await record.list({ asset: 'btc', ...of })))
  }
  const ofMisses = (await dashboard('status=miss')).json<DashboardPart>().listed.next ?? ''
  const link = String((await app.inject('/api/predictions?limit=5')).headers['link'])
  const ofBitcoin = /cursor=(\S+)>/.exec(link)?.[1] ?? ''
  for (const [path, text] of [
    [`/api/v1/assets/btc/calls?status=success&cursor=${ofMisses}`, 'another list'],
    [`/api/v1/assets/mstr/calls?status=miss&cursor=${ofMisses}`, 'another list'],
    [`/api/predictions?cursor=${ofMisses}`, 'another list'],
    [`/api/mstr/predictions?cursor=${ofBitcoin}`, 'another list'],
    [`/api/predictions?cursor=${ofBitcoin.slice(1)}`, 'Please take it from the link'],
    ['/api/predictions?cursor=*', 'Please take it from the link'],
    ['/api/v1/assets/btc/calls?skip=12', 'skip: This cannot be set here.'],
  ] as const) {
    const answer = await app.inject(path)
    expect([path, answer.statusCode, answer.body]).toEqual([
      path,
      400,
      expect.stringContaining(text),
    ])
  }
})
