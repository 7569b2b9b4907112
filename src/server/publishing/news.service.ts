import { type listProposals } from '#contracts/publishing.ts'
import { DAY_MS, addDays, isoDay } from '#domain/day.ts'
import { postCost, postWeight } from '#domain/publishing/post-length.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { failure } from '#server/kit/failure.ts'
import { iso } from '#server/kit/iso.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { type Admin } from '#server/kit/ports.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { type z } from 'zod'
import { newsOnRecord, noteDismissed, predictionOfEvent, type NewsOnRecord } from './news.store.ts'
import { type PublishingKit } from './publishing-kit.ts'
import { textsAbout } from './posts.service.ts'

/*
 * Posts that the record proposes: each new prediction, verdict and correction, until it is posted or dismissed. They are
 * made from the record whenever they are asked for; only what was dismissed is kept. Nothing is sent without a person.
 */

/** What happened longer ago is no news. */
const NEWS_DAYS = 7
const PAGE = 20

type Shown = z.input<typeof listProposals.reply>['proposals'][number]

/** @param before the last event of the page before */
export async function proposedPosts(
  kit: PublishingKit,
  before: number | null,
): Promise<z.input<typeof listProposals.reply>> {
  const rows = await newsOnRecord(kit.db, {
    since: isoIn(kit, -NEWS_DAYS * DAY_MS),
    sinceDay: isoDay(addDays(kit.record.today(), -NEWS_DAYS)),
    before,
    most: PAGE + 1,
  })
  const page = rows.slice(0, PAGE)
  const ids = new Set(page.map(({ predictionId }) => predictionId))
  const onRecord = new Map((await kit.record.byIds([...ids])).map((one) => [one.id, one]))
  return {
    proposals: page.flatMap(
      (one) => proposal(kit.origin, one, onRecord.get(one.predictionId)) ?? [],
    ),
    next: rows.length > PAGE ? (page.at(-1)?.event ?? null) : null,
  }
}

/** @returns null where the record does not say so (any more) */
function proposal(
  origin: string,
  news: NewsOnRecord,
  prediction: JudgedPrediction | undefined,
): Shown | null {
  const { event, predictionId, kind, text, outcome, isWithdrawal } = news
  if (!prediction || (prediction.withdrawn !== null) !== isWithdrawal) return null
  if (kind === 'verdict' && prediction.verdicts.touch.outcome !== outcome) return null
  const texts = textsAbout(origin, prediction, kind, { words: text })
  const { x_text: x } = texts
  if (x === '') return null
  return {
    event_id: event,
    at: iso(news.at),
    kind,
    prediction_id: predictionId,
    asset: prediction.asset,
    ...texts,
    x_weight: postWeight(x),
    x_cost_usd: postCost(x),
    has_chart: !prediction.withdrawn,
  }
}

/** Takes a proposal off the list, or puts it back. @throws AppError `not_found` */
export async function dismissProposal(
  kit: PublishingKit,
  admin: Admin,
  event: number,
  isDismissed: boolean,
): Promise<void> {
  await kit.db.transaction(async (tx) => {
    const predictionId = await predictionOfEvent(tx, event)
    if (predictionId === null) throw failure('not_found', 'There is no such proposal.')
    const at = isoNow(kit)
    if (!(await noteDismissed(tx, event, isDismissed ? { id: admin.id, at } : null))) return
    await writeAudit(tx, {
      at,
      admin,
      action: isDismissed ? 'proposed post dismissed' : 'proposed post put back',
      subject: { kind: 'prediction', id: predictionId },
      after: { event },
    })
  })
}
