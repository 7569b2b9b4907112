import { predictionPicture } from '#chart/prediction-picture.ts'
import { rangeLayer } from '#chart/ranges.ts'
import { outcomeSign } from '#chart/svg.ts'
import { OUTCOME_ORDER, outcomeColour, CSS_THEME } from '#chart/theme.ts'
import { PEOPLE_SIZE, SHARE_SIZE, viewPicture } from '#chart/view-picture.ts'
import { readView } from '#chart/view-state.ts'
import { type Asset, ASSETS } from '#domain/asset.ts'
import { type Prediction, headline, expertName } from '#domain/claim/prediction.ts'
import { readSearch } from '#domain/claim/search.ts'
import { readDay, showDay } from '#domain/day.ts'
import { datesText, verdictSentence } from '#domain/judging/verdict-text.ts'
import { type JudgeMode, type Outcome, MODE_PRICES, outcomeWord } from '#domain/judging/verdict.ts'
import { drawnText, filterText, MOST_TARGETS } from '#domain/listing/part.ts'
import { readSelection } from '#domain/listing/selection.ts'
import { showCount } from '#domain/price-text.ts'
import { luckText } from '#domain/scoring/odds-text.ts'
import { STRIP_WORDS } from '#domain/scoring/score-text.ts'
import { predictionPath } from '#domain/site.ts'
import { failure } from '#server/kit/failure.ts'
import { type Filters } from '#server/open-data/check-filters.ts'
import { chosenPeople, pastDayIn } from '#server/open-data/view.ts'
import { spanOf } from '#server/predictions/pages.service.ts'
import { rangedDay, type PublicSite } from '#server/predictions/predictions.service.ts'
import { drawnIds, FILTERED } from '#server/record/list-page.ts'
import { mostSupportedFirst } from '#server/record/list-query.ts'
import { barsOn, closesOf } from '#server/record/prices.ts'
import { link, drawings, type Embed, html, markup, type Html } from './embed-page.ts'

const MOST_LISTED = 60

/** The chart of a dashboard with its filters. @throws AppError `unavailable` */
export async function chartEmbed(
  { record, config: { origin } }: PublicSite,
  asset: Asset,
  filters: Filters,
): Promise<Embed> {
  const now = record.today()
  const asOf = pastDayIn(filters, now)
  const today = asOf ?? now
  const view = readView(filters)
  const { mode } = view
  const requested = readSelection(filters)
  const scope = { asset: asset.key, mode, asOf }
  const filter = filterText(requested, await chosenPeople(record, scope, requested.experts))
  // Unlike the page, an embed has no panel beside the chart, so the filter always narrows the chart.
  const isNarrowed = filter !== '' && filters('on') === null
  const selection = isNarrowed ? { ...requested, active: { status: requested.filter } } : requested
  const chosen = await drawnIds(record, { ...scope, selection, days: null })
  const { experts, search } = requested
  const passing = {
    ...scope,
    ...(experts.length > 0 && { experts }),
    ...(requested.filter !== 'all' && { outcomes: FILTERED[requested.filter] }),
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
  const draw = (size: { readonly width: number; readonly height: number }) =>
    viewPicture(
      {
        asset,
        points: closesOf(bars),
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
      ? `Of ${showCount(chosen.total)} that match`
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

/** The shape of an outcome, which does not rely on colour. */
function sign(outcome: Outcome): Html {
  const shape = outcomeSign(outcome, 8, 8, 7, outcomeColour(CSS_THEME, outcome), CSS_THEME.surface)
  return html`<svg width="16" height="16" aria-hidden="true">${markup(shape)}</svg>`
}

/** The chart as text, for people who cannot see it. */
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
              ${link(origin + predictionPath(one.id), headline(one))}:
              ${outcomeWord(one.verdicts[mode].outcome)}
            </li>`,
        )}
      ${rest > 0 ? html`<li>and ${showCount(rest)} more</li>` : null}
    </ul>
  </details>`
}

/** One prediction with its verdict, or the reason for its withdrawal. @throws AppError */
export async function predictionEmbed({ record }: PublicSite, id: string) {
  const prediction = await record.find(id)
  if (!prediction) throw failure('not_found', 'There is no prediction at this address.')
  const today = record.today()
  const title = headline(prediction)
  const { outcome } = prediction.verdicts.touch
  const path = predictionPath(id)
  const common = {
    path,
    asOf: today,
    assets: [prediction.asset],
    author: { name: expertName(prediction), slug: prediction.expert.slug },
  }
  if (prediction.withdrawn) {
    const { at, reason } = prediction.withdrawn
    return {
      ...common,
      title: `${title} – withdrawn`,
      picture: null,
      isWithdrawn: true,
      body: () =>
        html`<h1>${title}</h1>
          <p class="note">
            <strong>Withdrawn on ${showIsoDay(at)}.</strong> It counts in no list, chart or track
            record. ${reason}
          </p>`,
    }
  }
  const span = spanOf(prediction)
  const { closed } = (await record.prices())[prediction.asset]
  const bars = closed.filter(({ day }) => day >= span[0] && day <= span[1])
  const points = closesOf(bars)
  const ranges = rangeLayer(
    bars.flatMap((bar) => rangedDay(bar) ?? []),
    span,
  )
  const luck = luckText(prediction, 'touch')?.replace(/\.?$/, '.')
  return {
    ...common,
    title: `${title} – ${outcomeWord(outcome)}`,
    picture: { path: `${path}/picture.png?v=${outcome}`, ...SHARE_SIZE },
    isWithdrawn: false,
    body: () =>
      html`<div class="head">
          <h1>${title}</h1>
          <span class="badge ${outcome}">${sign(outcome)}${outcomeWord(outcome)}</span>
        </div>
        <p class="quiet">${datesText(prediction)}</p>
        ${drawings(ASSETS[prediction.asset].axis, (size) =>
          predictionPicture(
            { prediction, points, ranges, today, size },
            { theme: CSS_THEME, font: 'inherit' },
          ),
        )}
        <p>${verdictSentence(prediction, 'touch')}${luck === undefined ? '' : ` ${luck}`}</p>`,
  }
}

function showIsoDay(text: string): string {
  const day = readDay(text)
  return day === null ? text : showDay(day)
}
