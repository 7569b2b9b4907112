import { type DataCell } from '#contracts/data-columns.ts'
import { citationOf, LICENCE, type ViewFormat } from '#contracts/data-files.ts'
import { type ViewMetadata } from '#contracts/open-data.ts'
import { headline } from '#domain/claim/prediction.ts'
import { isoDay, showDayInWords } from '#domain/day.ts'
import { RULE_VERSION } from '#domain/judging/verdict.ts'
import { predictionPath } from '#domain/site.ts'
import { queryOf } from '#server/kit/text.ts'
import {
  predictionReply,
  recorded,
  type PublicSite,
} from '#server/predictions/predictions.service.ts'
import { termsOfBars } from '#server/prices/source-terms.ts'
import { csvOf, FORMULA_NOTE, objectsOf, pretty } from './tables.ts'
import { viewOf, type ViewRequest, type View } from './view.ts'

async function metadataOf(
  { record, config: { origin } }: PublicSite,
  { path, params }: ViewRequest,
  view: View,
): Promise<ViewMetadata> {
  const at = (format: string): string => `${origin}${path}${format}${queryOf(params)}`
  const prices = await record.prices()
  return {
    title: view.title,
    url: at(''),
    files: { csv: at('.csv'), json: at('.json') },
    as_of: isoDay(view.asOf),
    prices_through: Object.fromEntries(
      view.assets.map((key) => {
        const last = prices[key].closed.findLast(({ day }) => day <= view.asOf)
        return [key, last ? isoDay(last.day) : null]
      }),
    ),
    rule: RULE_VERSION,
    methodology: `${origin}/methodology`,
    filters: Object.fromEntries(params),
    rows: view.table.rows.length,
    columns: [...view.table.columns],
    licence: LICENCE,
    citation: citationOf({
      title: view.title,
      day: showDayInWords(view.asOf),
      rule: RULE_VERSION,
      url: at(''),
    }),
    price_sources: termsOfBars(prices, view.assets),
    notes: [...view.notes, FORMULA_NOTE],
  }
}

export async function viewFile(site: PublicSite, request: ViewRequest, format: ViewFormat) {
  const view = await viewOf(site, request)
  if (format === 'csv') return csvOf(view.table)
  const about = await metadataOf(site, request, view)
  if (format === 'metadata.json') return pretty(about)
  const { title, url, as_of, licence, citation } = about
  const metadata = `${site.config.origin}${request.path}.metadata.json${queryOf(request.params)}`
  const rows: readonly Readonly<Record<string, DataCell>>[] = objectsOf(view.table)
  return pretty({ title, url, metadata, as_of, licence: licence.name, citation, rows })
}

/** One prediction with its verdicts, evidence, history and citation. @throws AppError `not_found` */
export async function predictionFile(
  site: PublicSite,
  id: string,
  format: Exclude<ViewFormat, 'csv'>,
): Promise<string> {
  const { record } = site
  const [found, visible] = await Promise.all([predictionReply(site, id), recorded(record, id)])
  const path = predictionPath(id)
  const view: View = {
    // Direction marks around names are for screens.
    title: headline(visible).replaceAll(/[\u2066-\u2069]/g, ''),
    asOf: record.today(),
    assets: [visible.asset],
    table: { columns: [], rows: [[]] },
    notes: [
      'The columns of lists are described at /data; all fields of this file in /api/openapi.json.',
    ],
  }
  const { files, ...about } = await metadataOf(site, { path, params: new URLSearchParams() }, view)
  const metadata = { ...about, files: { json: files.json } }
  if (format === 'metadata.json') return pretty(metadata)
  const { title, url, as_of, licence, citation } = metadata
  return pretty({
    title,
    url,
    metadata: `${site.config.origin}${path}.metadata.json`,
    as_of,
    licence: licence.name,
    citation,
    ...found,
  })
}
