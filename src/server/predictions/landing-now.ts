import { type LandingNow, type NowCall } from '#contracts/page.ts'
import { ASSET_KEYS } from '#domain/asset.ts'
import { isoDay, showDay, showNumberOf, type Day } from '#domain/day.ts'
import { expertName, statementText } from '#domain/claim/prediction-text.ts'
import { leftText } from '#domain/scoring/odds-text.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { closedBars, type Snapshot } from './catalog.service.ts'

/** Calls in each list of the landing page. */
const MOST = 5

/** What is going on: the last closes, the newest calls, what was decided last, and what is decided next. */
export function landingNow({ assets }: Snapshot, today: Day): LandingNow {
  const all = ASSET_KEYS.flatMap((key) => assets[key].predictions)
  const decided = all.flatMap((one) => {
    const { outcome, day } = one.verdicts.touch
    return day !== null && (outcome === 'hit' || outcome === 'miss') ? [{ one, day }] : []
  })
  const due = all.filter(({ verdicts, by }) => verdicts.touch.outcome === 'pending' && by >= today)
  return {
    closes: ASSET_KEYS.flatMap((asset) => {
      const bar = closedBars(assets[asset].judged).at(-1)
      return bar ? [{ asset, day: isoDay(bar.day), usd: bar.close }] : []
    }),
    newest: firstOfEach(all.toSorted((a, b) => b.made - a.made || idOrder(a, b))).map((one) =>
      call(one, showDay(one.made, one.madePrecision)),
    ),
    decided: decided
      .toSorted((a, b) => b.day - a.day || idOrder(a.one, b.one))
      .slice(0, MOST)
      .map(({ one, day }) => call(one, showDay(day))),
    due: firstOfEach(due.toSorted((a, b) => a.by - b.by || idOrder(a, b))).map((one) =>
      call(
        one,
        [daysLeft(one.by - today), leftText(one, 'touch', today)].filter(Boolean).join(', '),
      ),
    ),
  }
}

function call(one: JudgedPrediction, note: string): NowCall {
  return {
    id: one.id,
    slug: one.expert.slug,
    name: expertName(one),
    text: statementText(one),
    outcome: one.verdicts.touch.outcome,
    note,
  }
}

/** One call of each person, so that nobody fills a list alone. */
function firstOfEach(sorted: readonly JudgedPrediction[]): JudgedPrediction[] {
  const first = new Map<number, JudgedPrediction>()
  for (const one of sorted) if (!first.has(one.expert.id)) first.set(one.expert.id, one)
  return [...first.values()].slice(0, MOST)
}

function daysLeft(days: number): string {
  return days === 0 ? 'ends today' : `${showNumberOf(days, 'day')} left`
}

function idOrder(a: JudgedPrediction, b: JudgedPrediction): number {
  return a.id < b.id ? -1 : 1
}
