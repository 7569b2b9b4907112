import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { hedgehogPath } from '#contracts/paths.ts'
import { REPORTS_PATH, CORRECTIONS_PATH } from '#contracts/public-logs.ts'
import { type FoundRow, type SearchReply } from '#contracts/search.ts'
import { yearPath } from '#contracts/year.ts'
import { ASSETS, type AssetKey } from '#domain/asset.ts'
import { headline, madeText } from '#domain/claim/prediction.ts'
import { isEmptySearch, readSearch, yearOf, type Search } from '#domain/claim/search.ts'
import { dayOf, showDay, plural } from '#domain/day.ts'
import { tallyOf } from '#domain/scoring/stated-calls.ts'
import { errorText } from '#domain/scoring/year-card.ts'
import { expertPath, predictionPath } from '#domain/site.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { isExactly, isNamedBy, type ListQuery, BY_DAY } from '#server/record/list-query.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { statedCalls, yearsDue } from './stated-calls.ts'

type Group = SearchReply['groups'][number]

export async function searchRecord(
  record: PublicRecord,
  { q, most }: { readonly q: string; readonly most: number },
): Promise<SearchReply> {
  const search = readSearch(q)
  if (isEmptySearch(search)) return { groups: [] }
  const [found, ...others] = await Promise.all([
    people(record, search, most),
    years(record, search).then((found) => ({ title: 'Years', total: found.length, found })),
    ...predictionGroups(record, search, most),
  ])
  return {
    groups: [found, pages(search), ...others]
      .filter(({ total }) => total > 0)
      .map((group) => ({ ...group, found: group.found.slice(0, most) })),
  }
}

const Person = z.object({
  slug: z.string(),
  name: z.string(),
  total: z.int(),
  calls: z.int(),
  hits: z.int(),
  misses: z.int(),
  open: z.int(),
})

/** Everyone with a matching name, by number of predictions. */
async function people(record: PublicRecord, { words }: Search, most: number): Promise<Group> {
  const outcome = (name: string) => sql`(count(*) filter (where touch_outcome = ${name}))::int`
  const found =
    words.length === 0
      ? []
      : await record.query(
          Person,
          {},
          (condition) => sql`
            select slug, name, (count(*) over ())::int as total, count(*)::int as calls,
              ${outcome('hit')} as hits, ${outcome('miss')} as misses, ${outcome('pending')} as open
            from predictions join influencers on influencers.id = predictions.influencer_id
            where ${condition} and ${isNamedBy(words)}
            group by influencers.id order by calls desc, max(made) desc, (array_agg(predictions.id collate "C" order by ${BY_DAY}))[1] limit ${most}`,
        )
  return {
    title: 'People',
    total: found[0]?.total ?? 0,
    found: found.map(({ slug, name, calls, hits, misses, open }) => ({
      path: expertPath(slug),
      title: name,
      text: `${plural(calls, 'prediction')}: ${String(hits)} came true, ${String(misses)} missed, ${String(open)} open`,
      outcome: null,
    })),
  }
}

const PAGES = [
  ...Object.values(ASSETS).map(({ route, name, symbol }) => ({
    path: route,
    title: `${name} chart`,
    words: `${name} ${symbol} chart dashboard price`,
    text: 'Every prediction over the price',
  })),
  {
    path: '/today',
    title: 'What is new',
    words: 'today new news recent yesterday',
    text: 'Calls, verdicts, corrections and deadlines',
  },
  {
    path: '/experts',
    title: 'Experts',
    words: 'experts people ranking leaderboard best luck skill',
    text: 'People compared with luck',
  },
  {
    path: '/history',
    title: 'History',
    words: 'history every prediction all calls',
    text: 'Every call against the price',
  },
  {
    path: '/years',
    title: 'Calls year by year',
    words: 'years calls',
    text: 'By the year they were due',
  },
  {
    path: '/methodology',
    title: 'Methodology',
    words: 'methodology rules how verdicts are decided luck scoring',
    text: 'How verdicts are decided',
  },
  {
    path: '/data',
    title: 'Data',
    words: 'data download csv json snapshots licence',
    text: 'The whole record as files',
  },
  {
    path: '/api/docs',
    title: 'API',
    words: 'api docs documentation developers',
    text: 'Calls for other programs',
  },
  {
    path: CORRECTIONS_PATH,
    title: 'Corrections',
    words: 'corrections changes errors',
    text: 'Every change of the record',
  },
  {
    path: REPORTS_PATH,
    title: 'Reported errors',
    words: 'reports reported errors',
    text: 'What visitors reported, and what came of it',
  },
  { path: '/about', title: 'About us', words: 'about us contact', text: 'Who runs this site' },
  {
    path: '/terms',
    title: 'Terms of service',
    words: 'terms of service legal privacy',
    text: 'What the site offers, and what it does not',
  },
] as const

/** Pages of the site matched by every search word. */
function pages({ words, levels, digits, spans, timings }: Search): Group {
  const isWords = [levels, digits, spans, timings].every(({ length }) => length === 0)
  const found = PAGES.filter(({ words: own }) => {
    const names = own.toLowerCase().split(' ')
    return isWords && words.every((word) => names.some((name) => name.startsWith(word)))
  }).map(({ path, title, text }) => ({ path, title, text, outcome: null }))
  return { title: 'Pages', total: found.length, found }
}

/** Year pages, for a year searched alone or with an asset. */
async function years(record: PublicRecord, { words, levels, digits, spans, timings }: Search) {
  const year = spans[0] && yearOf(spans[0])
  if (!year || spans.length > 1 || levels.length + digits.length + timings.length > 0) return []
  const assets = Object.values(ASSETS).filter(({ key, name }) =>
    words.every((word) => word === key || name.toLowerCase().startsWith(word)),
  )
  const due = await yearsDue(record)
  const rows = assets.map(async ({ key, name }): Promise<FoundRow[]> => {
    const made = await madeRow(record, key, year)
    if (!due.get(key)?.includes(year)) return made
    const title = `${name} predictions for ${String(year)}`
    const text = 'Calls due in that year, and what came of them'
    return [{ path: yearPath(key, year), title, text, outcome: null }, ...made]
  })
  return (await Promise.all(rows)).flat()
}

async function madeRow(record: PublicRecord, asset: AssetKey, year: number): Promise<FoundRow[]> {
  const made = { first: dayOf(year, 1, 1), last: dayOf(year, 12, 31) }
  const { calls, decided, hits, error } = tallyOf(await statedCalls(record, asset, { made }), year)
  if (calls === 0) return []
  const off = error === null ? '' : `; the middle one was ${errorText(error)}`
  const path = `${hedgehogPath(asset)}?year=${String(year)}`
  const title = `${ASSETS[asset].name} predictions made in ${String(year)}`
  const text =
    decided === 0
      ? `${plural(calls, 'call')}, none decided yet`
      : `${String(hits)} of ${plural(decided, 'decided call')} came true${off}`
  return [{ path, title, text, outcome: null }]
}

/** Grouped by deadline and day made if the search has a date; else one list, with exact levels before ranges. */
function predictionGroups(record: PublicRecord, search: Search, most: number): Promise<Group>[] {
  const { spans, levels } = search
  const [span] = spans
  const group = async (title: string, query: ListQuery, order: SQL): Promise<Group> => {
    const [total, found] = await Promise.all([
      record.count(query),
      record.list(query, { order, limit: most }),
    ])
    return { title, total, found: found.map(predictionRow) }
  }
  if (span && spans.length === 1) {
    const year = yearOf(span)
    const when = year === null ? 'then' : `in ${String(year)}`
    const others = { ...search, spans: [] }
    return [
      group(`Predictions due ${when}`, { words: others, due: span }, sql`target_date, ${BY_DAY}`),
      group(`Predictions made ${when}`, { words: others, made: span, notDue: span }, BY_DAY),
    ]
  }
  const exact = async (): Promise<SQL> => {
    const { actions } = await record.prices()
    const each = levels.map((usd) => isExactly(usd, actions))
    return each.length === 0 ? BY_DAY : sql`(${sql.join(each, sql` and `)}) desc, ${BY_DAY}`
  }
  return [exact().then((order) => group('Predictions', { words: search }, order))]
}

function predictionRow(one: JudgedPrediction): FoundRow {
  return {
    path: predictionPath(one.id),
    title: headline(one),
    text: `${madeText(one)}, due ${showDay(one.by, one.byPrecision)}`,
    outcome: one.verdicts.touch.outcome,
  }
}
