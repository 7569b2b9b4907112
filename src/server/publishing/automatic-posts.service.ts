import { type SocialSettings, type changeSocialSettings } from '#contracts/publishing.ts'
import { composePost } from '#domain/publishing/post-compose.ts'
import { textColumns } from '#domain/publishing/social-post.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { isoOrNull } from '#server/kit/iso.ts'
import { messageOf } from '#server/kit/message-of.ts'
import { isoIn, isoNow } from '#server/kit/now.ts'
import { type Admin } from '#server/kit/ports.ts'
import { takeTurn } from '#server/kit/turns.ts'
import { chartPicture } from './pictures/pictures.service.ts'
import { addPost } from './posts.store.ts'
import { type PublishingKit } from './publishing-kit.ts'
import {
  automaticPostsSince,
  newVerdicts,
  readSettings,
  saveSettings,
  type StoredSettings,
} from './publishing-settings.store.ts'
import { predictionLink } from './read-posts.service.ts'
import { randomUUID } from 'node:crypto'
import { type z } from 'zod'

/*
 * Automatic posts about verdicts. Off until an administrator turns them on; from then on every verdict that prices bring
 * about gets one, up to the cap for a day. A verdict that is a day old is no longer news.
 */

const DAY_MS = 86_400_000

type Shown = z.input<typeof changeSocialSettings.reply>

export async function automaticSettings({ db }: Pick<PublishingKit, 'db'>): Promise<Shown> {
  return shown(await readSettings(db))
}

export async function changeAutomatic(
  kit: Pick<PublishingKit, 'db' | 'clock'>,
  admin: Admin,
  given: SocialSettings,
): Promise<Shown> {
  const at = isoNow(kit)
  await kit.db.transaction(async (tx) => {
    const before = await readSettings(tx)
    await saveSettings(tx, {
      autoVerdicts: given.auto_verdicts,
      autoNetworks: [...new Set(given.auto_networks)],
      autoWithLink: given.auto_with_link,
      autoDailyCap: given.auto_daily_cap,
      // A change of the other settings must not drop verdicts that still wait for their post.
      autoSince: given.auto_verdicts ? (before.autoSince ?? at) : null,
      changedBy: admin.id,
      changedAt: at,
    })
    await writeAudit(tx, {
      at,
      admin,
      action: 'automatic posts changed',
      subject: { kind: 'social settings', id: null },
      before: shown(before),
      after: given,
    })
  })
  return automaticSettings(kit)
}

/** Plans posts about verdicts that are news. @returns how many */
export async function planAutomatic(kit: PublishingKit): Promise<number> {
  const { db } = kit
  const settings = await readSettings(db)
  const { autoVerdicts, autoSince, autoDailyCap, changed } = settings
  if (!autoVerdicts || !changed || autoSince === null) return 0
  const dayAgo = isoIn(kit, -DAY_MS)
  const news = await newVerdicts(
    db,
    Date.parse(autoSince) > Date.parse(dayAgo) ? autoSince : dayAgo,
  )
  // Above the cap no picture is drawn.
  if (news.length === 0 || (await automaticPostsSince(db, dayAgo)) >= autoDailyCap) return 0
  let planned = 0
  for (const verdict of news) {
    const outcome = await plan(kit, verdict, settings, changed.by.id)
    if (outcome === 'cap') break
    if (outcome === 'planned') planned += 1
  }
  return planned
}

async function plan(
  kit: PublishingKit,
  verdict: { verdictId: number; predictionId: string; outcome: string },
  settings: StoredSettings,
  createdBy: number,
): Promise<'planned' | 'not-now' | 'cap'> {
  const { db, record, origin } = kit
  const prediction = await record.find(verdict.predictionId)
  // It may have changed meanwhile; the next round tries again.
  if (!prediction || prediction.withdrawn) return 'not-now'
  if (prediction.verdicts.touch.outcome !== verdict.outcome) return 'not-now'
  const networks = settings.autoNetworks.filter((one) => kit[one] !== null)
  if (networks.length === 0) return 'not-now'
  const link = predictionLink(origin, verdict.predictionId)
  const texts = textColumns((network) => {
    // Only X takes more for it.
    const on = { network, link: network !== 'x' || settings.autoWithLink ? link : null }
    return composePost(prediction, 'verdict', on) ?? ''
  })
  const at = isoNow(kit)
  const post = {
    id: randomUUID(),
    kind: 'verdict' as const,
    state: 'scheduled' as const,
    networks,
    ...texts,
    pictures: await chartOf(kit, verdict.predictionId),
    scheduledAt: at,
    predictionId: verdict.predictionId,
    verdictId: verdict.verdictId,
    isAutomatic: true,
    createdBy,
    createdAt: at,
    updatedAt: at,
  }
  return db.transaction(async (tx) => {
    // The cap is one for all processes.
    await takeTurn(tx, 'proof-of-price automatic posts')
    if ((await automaticPostsSince(tx, isoIn(kit, -DAY_MS))) >= settings.autoDailyCap) return 'cap'
    if (!(await addPost(tx, post))) return 'not-now'
    await writeAudit(tx, {
      at,
      admin: null,
      action: 'post planned by the server',
      subject: { kind: 'social post', id: post.id },
      after: { networks, xText: post.xText, verdict: verdict.verdictId },
    })
    return 'planned'
  })
}

/** The chart where it can be drawn: a post without it is better than none. */
async function chartOf(
  kit: PublishingKit,
  predictionId: string,
): Promise<{ id: string; alt: string }[]> {
  try {
    const { id, alt } = await chartPicture(kit, predictionId)
    return [{ id, alt }]
  } catch (error) {
    const detail = { prediction: predictionId }
    kit.log.warn(detail, `A chart could not be drawn for a post: ${messageOf(error)}`)
    return []
  }
}

function shown(settings: StoredSettings): Shown {
  return {
    auto_verdicts: settings.autoVerdicts,
    auto_networks: settings.autoNetworks,
    auto_with_link: settings.autoWithLink,
    auto_daily_cap: settings.autoDailyCap,
    changed_by: settings.changed?.by.username ?? null,
    changed_at: isoOrNull(settings.changed?.at ?? null),
  }
}
