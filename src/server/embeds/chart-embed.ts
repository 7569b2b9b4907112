import { PAST_PARAM, readPastDay } from '#contracts/past.paths.ts'
import { OUTCOME_ORDER, outcomeColour } from '#chart/colours.ts'
import { CSS_THEME } from '#chart/css-theme.ts'
import { PEOPLE_SIZE } from '#chart/picture-sizes.ts'
import { outcomeSign } from '#chart/svg.ts'
import { viewPicture } from '#chart/view-picture.ts'
import { readView } from '#chart/view-state.ts'
import { type Asset } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { headline } from '#domain/claim/prediction-text.ts'
import { drawnText } from '#domain/listing/drawn-text.ts'
import { filterText } from '#domain/listing/listing.ts'
import { MOST_TARGETS } from '#domain/listing/part.ts'
import { readSearch } from '#domain/claim/search.ts'
import { readSelection } from '#domain/listing/selection-address.ts'
import { MODE_PRICES, outcomeWord } from '#domain/judging/verdict-text.ts'
import { type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { showCount } from '#domain/price-text.ts'
import { STRIP_WORDS } from '#domain/scoring/strip-text.ts'
import { checkFilters } from '#server/open-data/check-filters.ts'
import { chosenPeople, refuseFuture } from '#server/open-data/view.ts'
import { rangedDay } from '#server/predictions/ranges.service.ts'
import { drawnIds, FILTERED } from '#server/record/drawn.ts'
import { mostSupportedFirst } from '#server/record/list-order.ts'
import { barsOn } from '#server/record/prices.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { link } from './embed-page.ts'
import { drawings } from './drawings.ts'
import { type Embed } from './embed.ts'
import { html, markup, type Html } from './html.ts'

/** Predictions listed below a chart at the most. */
const MOST_LISTED = 60

export type ChartParts = {
  readonly record: PublicRecord
  readonly origin: string
}

/** A dashboard's chart as its address shows it. @throws AppError `invalid` for an impossible filter, `unavailable` */
export async function chartEmbed(
  { record, origin }: ChartParts,
  asset: Asset,
  params: URLSearchParams,
): Promise<Embed> {
  checkFilters(params, 'asset')
  const now = record.today()
  const day = readPastDay(params.get(PAST_PARAM))
  refuseFuture(day, now)
  const asOf = day !== null && day < now ? day : null
  const today = asOf ?? now
  const param = (name: string) => params.get(name)
  const view = readView(param)
  const { mode } = view
  const asked = readSelection(param)
  const scope = { asset: asset.key, mode, asOf }
  const filter = filterText(asked, await chosenPeople(record, scope, asked.experts))
  // A page has its panel beside the chart for what the filter leaves; here the chart is all there is.
  const isNarrowed = filter !== '' && !params.has('on')
  const selection = isNarrowed ? { ...asked, active: { status: asked.filter } } : asked
  const chosen = await drawnIds(record, { ...scope, selection, days: null })
  const { experts, search } = asked
  const passing = {
    ...scope,
    ...(experts.length > 0 && { experts }),
    ...(asked.filter !== 'all' && { outcomes: FILTERED[asked.filter] }),
    words: readSearch(search),
    ids: chosen.ids,
  }
  const [prices, drawn, total, ofFilter, targets] = await Promise.all([
    record.prices(),
    record.byIds(chosen.ids, asOf),
    record.count(scope),
    record.count(passing),
    view.targets === null
      ? []
      : record.list(
          { ...scope, outcomes: ['pending'], isDrawn: true, isAimed: true },
          { order: mostSupportedFirst(asOf), limit: MOST_TARGETS },
        ),
  ])
  const bars = barsOn(prices, asset.key, asOf)
  const title = drawnText(asset.name, drawn, mode)
  const draw = (size: { readonly width: number; readonly height: number }): string =>
    viewPicture(
      {
        asset,
        points: { days: bars.map((bar) => bar.day), closes: bars.map((bar) => bar.close) },
        ranged: ([from, to]) =>
          bars
            .filter((bar) => bar.day >= from - 1 && bar.day <= to + 1)
            .flatMap((bar) => rangedDay(bar) ?? []),
        drawn,
        targets,
        view,
        today,
        isPast: asOf !== null,
        size,
      },
      { theme: CSS_THEME, font: 'inherit' },
    )
  const about = [
    drawn.length < chosen.total
      ? `Of ${showCount(chosen.total)} that pass`
      : drawn.length < total && `Of ${showCount(total)} on record`,
    ofFilter === drawn.length && filter,
    `judged by ${MODE_PRICES[mode]}`,
  ]
  return {
    title,
    path: asset.route,
    asOf: today,
    assets: [asset.key],
    author: null,
    picture: { path: `/history/${asset.key}/picture.png`, ...PEOPLE_SIZE },
    isWithdrawn: false,
    body: () =>
      html`<h1>${title}</h1>
        <p class="quiet">${about.filter(Boolean).join(' · ')}</p>
        ${
          bars.length === 0
            ? html`<p class="note">No price of ${asset.name} is on record.</p>`
            : drawings(asset.axis, draw)
        }
        ${legend(drawn, mode)} ${listOf(drawn, mode, origin)}`,
  }
}

/** What the signs on the chart mean. */
function legend(drawn: readonly Prediction[], mode: JudgeMode): Html {
  const seen = OUTCOME_ORDER.toReversed().filter((outcome) =>
    drawn.some(({ verdicts }) => verdicts[mode].outcome === outcome),
  )
  return seen.length === 0
    ? html``
    : html`<p class="legend">
        ${seen.map((outcome) => html`<span>${sign(outcome)}${STRIP_WORDS[outcome]}</span>`)}
      </p>`
}

/** The shape of an outcome, which says it before its colour does. */
export function sign(outcome: Outcome): Html {
  const shape = outcomeSign(outcome, 8, 8, 7, outcomeColour(CSS_THEME, outcome), CSS_THEME.surface)
  return html`<svg width="16" height="16" aria-hidden="true">${markup(shape)}</svg>`
}

/** The same in words, for those who do not see the picture. */
function listOf(drawn: readonly Prediction[], mode: JudgeMode, origin: string): Html {
  if (drawn.length === 0) return html``
  const rest = drawn.length - MOST_LISTED
  return html`<details>
    <summary>In words</summary>
    <ul>
      ${drawn
        .slice(0, MOST_LISTED)
        .map(
          (one) =>
            html`<li>
              ${link(`${origin}/predictions/${encodeURIComponent(one.id)}`, headline(one))}:
              ${outcomeWord(one.verdicts[mode].outcome)}
            </li>`,
        )}
      ${rest > 0 ? html`<li>and ${showCount(rest)} more</li>` : null}
    </ul>
  </details>`
}
