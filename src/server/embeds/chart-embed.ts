import { PAST_PARAM, readPastDay } from '#contracts/past.paths.ts'
import { OUTCOME_ORDER, outcomeColour } from '#chart/colours.ts'
import { CSS_THEME } from '#chart/css-theme.ts'
import { PEOPLE_SIZE } from '#chart/picture-sizes.ts'
import { outcomeSign } from '#chart/svg.ts'
import { viewPicture } from '#chart/view-picture.ts'
import { type Asset } from '#domain/asset.ts'
import { type Prediction } from '#domain/claim/prediction.ts'
import { headline } from '#domain/claim/prediction-text.ts'
import { type Day } from '#domain/day.ts'
import { drawnText } from '#domain/listing/drawn-text.ts'
import { expertsOf, filterText, listed } from '#domain/listing/listing.ts'
import { readSelection } from '#domain/listing/selection-address.ts'
import { MODE_PRICES, outcomeWord } from '#domain/judging/verdict-text.ts'
import { type JudgeMode, type Outcome } from '#domain/judging/verdict.ts'
import { showCount } from '#domain/price-text.ts'
import { STRIP_WORDS } from '#domain/scoring/strip-text.ts'
import { checkFilters } from '#server/open-data/check-filters.ts'
import { chosenCalls, refuseFuture } from '#server/open-data/view.ts'
import { recordOn } from '#server/predictions/past.service.ts'
import { type Records } from '#server/predictions/predictions.service.ts'
import { rangedDay } from '#server/predictions/ranges.service.ts'
import { link } from './embed-page.ts'
import { drawings } from './drawings.ts'
import { type Embed } from './embed.ts'
import { html, markup, type Html } from './html.ts'

/** Of what a filter leaves, at most so many are drawn. */
const MOST_DRAWN = 300
/** Predictions listed below a chart at the most. */
const MOST_LISTED = 60

export type ChartParts = {
  readonly records: Pick<Records, 'snapshot'>
  readonly today: () => Day
  readonly origin: string
}

/** A dashboard's chart as its address shows it. @throws AppError `invalid` for an impossible filter, `unavailable` */
export function chartEmbed(parts: ChartParts, asset: Asset, params: URLSearchParams): Embed {
  checkFilters(params, 'asset')
  const now = parts.today()
  const day = readPastDay(params.get(PAST_PARAM))
  refuseFuture(day, now)
  const isPast = day !== null && day < now
  const today = isPast ? day : now
  const record = recordOn(parts.records.snapshot().assets[asset.key], isPast ? day : null)
  const { bars, predictions } = record
  const selection = readSelection((name) => params.get(name))
  const filter = filterText(selection, expertsOf(predictions))
  // A page has its panel beside the chart for what the filter leaves; here the chart is all there is.
  const isNarrowed = filter !== '' && !params.has('on')
  const own = new URLSearchParams(params)
  if (isNarrowed) own.set('on', selection.filter)
  const chosen = chosenCalls(own, asset, { predictions, today, isPast })
  const { view, mode } = chosen
  const drawn = isNarrowed ? chosen.drawn.slice(0, MOST_DRAWN) : chosen.drawn
  const passing = new Set(listed(selection, predictions, mode))
  const isOfFilter = drawn.every((one) => passing.has(one))
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
        all: predictions,
        view,
        today,
        isPast,
        size,
      },
      { theme: CSS_THEME, font: 'inherit' },
    )
  const about = [
    drawn.length < chosen.drawn.length
      ? `Of ${showCount(chosen.drawn.length)} that pass`
      : drawn.length < predictions.length && `Of ${showCount(predictions.length)} on record`,
    isOfFilter && filter,
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
        ${legend(drawn, mode)} ${listOf(drawn, mode, parts.origin)}`,
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
