import {
  acrossStrip,
  isSample,
  placedMarks,
  STRIP_TICKS,
  type StripSize,
} from '#chart/strip-marks.ts'
import { PEOPLE_SIZE } from '#chart/view-picture.ts'
import * as contract from '#contracts/board.ts'
import { ASSET_KEYS } from '#domain/asset.ts'
import { claimText } from '#domain/claim/text.ts'
import { isoDay, readDay } from '#domain/day.ts'
import { showCount } from '#domain/price-text.ts'
import { LEAST_CALLS } from '#domain/scoring/call-filter.ts'
import {
  againstLuckText,
  bandText,
  cameTrueText,
  STRIP_WORDS,
  stripMarkText,
  stripText,
} from '#domain/scoring/score-text.ts'
import { expertPath, predictionPath } from '#domain/site.ts'
import { type Filters } from '#server/open-data/check-filters.ts'
import { stillComputed } from '#server/open-data/view.ts'
import { expertAt, type PublicSite } from '#server/predictions/predictions.service.ts'
import { BY_DAY } from '#server/record/list-query.ts'
import { pricedAssets } from '#server/record/prices.ts'
import { pageBoard, personReport } from '#server/scores/board.ts'
import { link, type Embed, html, type Html } from './embed-page.ts'

/** Limited by the height of a frame. */
const MOST_PEOPLE = 8
const SCALE = 24

/** A person's calls compared with luck, and their two scores. @throws AppError `not_found` */
export async function personEmbed(
  { readDb, record, scores, config: { origin } }: PublicSite,
  slug: string,
): Promise<Embed> {
  const expert = await expertAt(readDb, slug)
  const [own, found] = await Promise.all([
    record.list({ experts: [expert.slug] }, { order: BY_DAY }),
    personReport(scores, expert.slug),
  ])
  const calls = own.map(({ id, asset, claim, by, verdicts, odds }): contract.BoardCall => {
    const luck = odds?.touch.luck ?? null
    const { outcome } = verdicts.touch
    return { id, asset, text: claimText(claim), deadline: isoDay(by), outcome, luck }
  })
  const many = `${showCount(own.length)} price prediction${own.length === 1 ? '' : 's'}`
  const path = expertPath(expert.slug)
  return {
    title: found
      ? `${expert.name}: ${cameTrueText(found.figures.time_is_up)}`
      : `${expert.name}: ${many}`,
    path,
    asOf: (found && readDay(found.as_of)) ?? record.today(),
    assets: ASSET_KEYS.filter((key) => own.some(({ asset }) => asset === key)),
    author: { name: expert.name, slug: expert.slug },
    picture: found && { path: `${path}/picture.png?v=${found.as_of}`, ...PEOPLE_SIZE },
    isWithdrawn: false,
    body: () =>
      html`<h1><bdi>${expert.name}</bdi></h1>
        <p class="quiet">${many}${notRanked(found)}</p>
        ${strip(expert.name, calls, 'large', origin)} ${stripLegend(null)}
        ${
          found
            ? html`<dl>
                <div>
                  <dt>Deadline passed</dt>
                  <dd>${againstLuckText(found.figures.decided)}</dd>
                </div>
              </dl>`
            : null
        }`,
  }
}

function notRanked(found: contract.PersonReport | null): string {
  return found?.figures.band === null
    ? ` · Fewer than ${String(LEAST_CALLS)} comparable calls say too little`
    : ''
}

/** The top of the ranking. @throws AppError `unavailable` while there are no scores */
export async function boardEmbed({ record, scores, config }: PublicSite, filters: Filters) {
  const view = contract.readBoardView(filters)
  const board = await pageBoard(scores, view)
  if (!board) throw stillComputed()
  return {
    title: board.finding,
    path: '/experts',
    asOf: readDay(board.as_of) ?? record.today(),
    assets: view.asset === null ? pricedAssets(await record.prices()) : [view.asset],
    author: null,
    picture: { path: `/experts/picture.png?v=${board.as_of}`, ...PEOPLE_SIZE },
    isWithdrawn: false,
    body: () => boardBody(board, view, config.origin),
  }
}

function boardBody(board: contract.Board, view: contract.BoardView, origin: string): Html {
  // A search shows all matches, ranked or not.
  const rows = [
    ...contract.sortedBy(board.ranked, view.sort),
    ...(view.find === '' ? [] : board.others),
  ]
    .filter(({ name }) => contract.plainName(name).includes(contract.plainName(view.find)))
    .slice(0, MOST_PEOPLE)
  const rest = view.find === '' ? board.counts.ranked - rows.length : 0
  const none =
    view.find === ''
      ? `Nobody has ${String(LEAST_CALLS)} comparable calls of this kind.`
      : `There is no “${view.find}” here.`
  return html`<h1>${board.finding}</h1>
    <p class="quiet">${[board.totals.sentence, board.selection].filter(Boolean).join(' ')}</p>
    ${
      rows.length === 0
        ? html`<p>${none}</p>`
        : html`${stripLegend('bold calls on the left')}
            <table>
              <tbody>
                ${rows.map(
                  (row) =>
                    html`<tr>
                      <th scope="row">
                        ${link(origin + expertPath(row.slug), html`<bdi>${row.name}</bdi>`)}
                        <small>${bandText(row.band)}</small>
                      </th>
                      <td class="strip">
                        ${strip(row.name, row.calls, 'small', origin, isSample(row) ? row.call_count : null)}
                      </td>
                      <td class="figure">${againstLuckText(row.decided)}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
            ${rest > 0 ? html`<p class="quiet">The first ${rows.length} of ${showCount(board.counts.ranked)}.</p>` : null}`
    }`
}

/** A person's calls by their chance of luck; a large strip has a scale, and its marks are links. */
function strip(
  name: string,
  calls: readonly Omit<contract.BoardCall, 'asset'>[],
  size: StripSize,
  origin: string,
  many: number | null = null,
): Html {
  const { marks, middle, radius } = placedMarks(calls, size)
  if (marks.length === 0) return html``
  const isLarge = size === 'large'
  const bottom = 2 * middle
  const text = stripText(
    name,
    marks.map(({ call }) => call),
    many,
  )
  const dots = marks.map(({ call, cx, cy }) => {
    const dot = html`<circle class="dot ${call.outcome}" cx="${cx}" cy="${cy}" r="${radius}"
      ><title>${stripMarkText(call)}</title></circle
    >`
    return isLarge
      ? html`<a
          href="${origin}${predictionPath(call.id)}"
          target="_blank"
          rel="noopener"
          aria-label="${stripMarkText(call)}"
          >${dot}</a
        >`
      : dot
  })
  return html`<svg
    class="strip"
    width="100%"
    height="${bottom + (isLarge ? SCALE : 0)}"
    role="${isLarge ? 'group' : 'img'}"
    aria-label="${text}"
  >
    ${isLarge ? ticks(bottom) : null}
    <line class="line" x1="1%" x2="99%" y1="${middle}" y2="${middle}" />
    ${dots}
  </svg>`
}

function ticks(bottom: number): readonly Html[] {
  return STRIP_TICKS.map(({ luck, name, anchor }) => {
    const x = acrossStrip(luck)
    const between = luck % 0.5 > 0 ? 'between' : ''
    return html`<g aria-hidden="true"
      ><line class="tick" x1="${x}" x2="${x}" y1="0" y2="${bottom}" /><text
        class="${between}"
        x="${x}"
        y="${bottom + SCALE - 5}"
        text-anchor="${anchor}"
        >${name}</text
      ></g
    >`
  })
}

function stripLegend(rest: string | null): Html {
  return html`<p class="legend ${rest === null ? '' : 'of-strips'}">
    ${(['hit', 'miss', 'pending'] as const).map(
      (outcome) =>
        html`<span
          ><svg width="12" height="12" aria-hidden="true">
            <circle class="dot ${outcome}" cx="6" cy="6" r="4.5" /></svg
          >${STRIP_WORDS[outcome]}</span
        >`,
    )}
    ${rest === null ? null : html`<span>${rest}</span>`}
  </p>`
}
