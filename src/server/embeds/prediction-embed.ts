import { CSS_THEME } from '#chart/css-theme.ts'
import { SHARE_SIZE } from '#chart/picture-sizes.ts'
import { predictionPicture } from '#chart/prediction-picture.ts'
import { rangeLayer } from '#chart/ranges.ts'
import { ASSETS } from '#domain/asset.ts'
import { expertName, headline } from '#domain/claim/prediction-text.ts'
import { readDay, showDay } from '#domain/day.ts'
import { datesText, outcomeWord, verdictSentence } from '#domain/judging/verdict-text.ts'
import { luckText } from '#domain/scoring/odds-text.ts'
import { failure } from '#server/kit/failure.ts'
import { checkFilters } from '#server/open-data/check-filters.ts'
import { spanOf } from '#server/predictions/pages.service.ts'
import { rangedDay } from '#server/predictions/ranges.service.ts'
import { sign, type ChartParts } from './chart-embed.ts'
import { drawings } from './drawings.ts'
import { type Embed } from './embed.ts'
import { html } from './html.ts'

/** One prediction with its verdict; of one that was withdrawn only that, and why. @throws AppError */
export async function predictionEmbed(
  { record }: Pick<ChartParts, 'record'>,
  id: string,
  params: URLSearchParams,
): Promise<Embed> {
  checkFilters(params, 'none')
  const prediction = await record.find(id)
  if (!prediction) throw failure('not_found', 'There is no prediction at this address.')
  const today = record.today()
  const said = headline(prediction)
  const { outcome } = prediction.verdicts.touch
  const path = `/predictions/${encodeURIComponent(id)}`
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
      title: `${said} – withdrawn`,
      picture: null,
      isWithdrawn: true,
      body: () =>
        html`<h1>${said}</h1>
          <p class="note">
            <strong>Withdrawn on ${showIsoDay(at)}.</strong> It counts in no list, chart or track
            record. ${reason}
          </p>`,
    }
  }
  const span = spanOf(prediction)
  const { closed } = (await record.prices())[prediction.asset]
  const bars = closed.filter(({ day }) => day >= span[0] && day <= span[1])
  const points = { days: bars.map(({ day }) => day), closes: bars.map(({ close }) => close) }
  const ranges = rangeLayer(
    bars.flatMap((bar) => rangedDay(bar) ?? []),
    span,
  )
  const luck = luckText(prediction, 'touch')?.replace(/\.?$/, '.')
  return {
    ...common,
    title: `${said} – ${outcomeWord(outcome)}`,
    picture: { path: `${path}/picture.png?v=${outcome}`, ...SHARE_SIZE },
    isWithdrawn: false,
    body: () =>
      html`<div class="head">
          <h1>${said}</h1>
          <span class="badge ${outcome}">${sign(outcome)}${outcomeWord(outcome)}</span>
        </div>
        <p class="quiet">${datesText(prediction)}</p>
        ${drawings(ASSETS[prediction.asset].axis, (size) =>
          predictionPicture(
            { prediction, points, ranges, mode: 'touch', today, size },
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
