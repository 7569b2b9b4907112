import { type changeSocialSettings, type SocialSettings } from '#contracts/publishing.ts'
import { composePost } from '#domain/publishing/post-compose.ts'
import { type SocialNetwork } from '#domain/publishing/social-post.ts'
import { type Admin, type Clock, type Log } from '#server/kit/ports.ts'
import { writeAudit } from '#server/kit/audit.ts'
import { messageOf } from '#server/kit/message-of.ts'
import { type Db } from '#server/kit/db.ts'
import { addPost } from './posts.store.ts'
import {
  automaticPostsSince,
  newVerdicts,
  readSettings,
  saveSettings,
  takeAutomaticTurn,
  type StoredSettings,
} from './publishing-settings.store.ts'
import { randomUUID } from 'node:crypto'
import { type z } from 'zod'
import { type Catalog } from '#server/predictions/catalog.service.ts'
import { type DrawChart, type SocialPictures } from './pictures/pictures.service.ts'

const DAY_MS = 86_400_000

export type SocialAuto = ReturnType<typeof socialAuto>

/**
 * Posts about verdicts that nobody has to write. Off until an administrator turns it on; then of verdicts that prices
 * bring about from that moment on, each once, and no more a day than the cap allows. A verdict that is a day old is no
 * news any more.
 */
export function socialAuto({
  db,
  clock,
  log,
  origin,
  catalog,
  networks,
  pictures,
  draw,
}: {
  db: Db
  clock: Clock
  log: Log
  origin: string
  catalog: Pick<Catalog, 'snapshot' | 'today'>
  /** Those that are set up. */
  networks: readonly SocialNetwork[]
  pictures: Pick<SocialPictures, 'ofPrediction'>
  draw: DrawChart | null
}) {
  const isoNow = (): string => new Date(clock.now()).toISOString()

  /** The chart, where it can be had: a post without it is better than none. */
  async function chartOf(predictionId: string): Promise<{ id: string; alt: string }[]> {
    if (!draw) return []
    try {
      const { id, alt } = await pictures.ofPrediction(predictionId)
      return [{ id, alt }]
    } catch (error) {
      const said = messageOf(error)
      log.warn({ prediction: predictionId }, `A chart could not be drawn for a post: ${said}`)
      return []
    }
  }

  async function plan(
    verdict: { verdictId: number; predictionId: string; outcome: string },
    settings: StoredSettings & { changed: NonNullable<StoredSettings['changed']> },
  ): Promise<'planned' | 'not-now' | 'cap'> {
    const prediction = catalog.snapshot()?.byId.get(verdict.predictionId)
    // What is in memory may lag behind; the next round looks again.
    if (prediction?.verdicts.touch.outcome !== verdict.outcome) return 'not-now'
    const to = settings.autoNetworks.filter((one) => networks.includes(one))
    if (to.length === 0) return 'not-now'
    const today = catalog.today()
    const link = `${origin}/predictions/${encodeURIComponent(verdict.predictionId)}`
    const text = (network: SocialNetwork): string =>
      composePost(prediction, 'verdict', {
        network,
        today,
        link: network === 'nostr' || settings.autoWithLink ? link : null,
      }) ?? ''
    const at = isoNow()
    const id = randomUUID()
    const { by } = settings.changed
    const post = {
      id,
      kind: 'verdict' as const,
      state: 'scheduled' as const,
      networks: to,
      xText: text('x'),
      nostrText: text('nostr'),
      pictures: await chartOf(verdict.predictionId),
      scheduledAt: at,
      predictionId: verdict.predictionId,
      verdictId: verdict.verdictId,
      isAutomatic: true,
      createdBy: by.id,
      createdAt: at,
      updatedAt: at,
    }
    return db.transaction(async (tx) => {
      await takeAutomaticTurn(tx)
      const dayAgo = new Date(clock.now() - DAY_MS).toISOString()
      if ((await automaticPostsSince(tx, dayAgo)) >= settings.autoDailyCap) return 'cap'
      if (!(await addPost(tx, post))) return 'not-now'
      await writeAudit(tx, {
        at,
        admin: null,
        action: 'post planned by the server',
        subject: { kind: 'social post', id },
        after: { networks: to, xText: post.xText, verdict: verdict.verdictId },
      })
      return 'planned'
    })
  }

  return {
    async settings(): Promise<z.input<typeof changeSocialSettings.reply>> {
      return shown(await readSettings(db))
    },

    async change(
      admin: Admin,
      given: SocialSettings,
    ): Promise<z.input<typeof changeSocialSettings.reply>> {
      await db.transaction(async (tx) => {
        const before = await readSettings(tx)
        await saveSettings(tx, {
          autoVerdicts: given.auto_verdicts,
          autoNetworks: [...new Set(given.auto_networks)],
          autoWithLink: given.auto_with_link,
          autoDailyCap: given.auto_daily_cap,
          // A change of the others must not drop verdicts that still wait for their post.
          autoSince: given.auto_verdicts ? (before.autoSince ?? isoNow()) : null,
          changedBy: admin.id,
          changedAt: isoNow(),
        })
        await writeAudit(tx, {
          at: isoNow(),
          admin,
          action: 'automatic posts changed',
          subject: { kind: 'social settings', id: null },
          before: shown(before),
          after: given,
        })
      })
      return shown(await readSettings(db))
    },

    /** Plans posts about verdicts that are news. @returns how many */
    async write(): Promise<number> {
      const settings = await readSettings(db)
      const { changed, autoSince } = settings
      if (!settings.autoVerdicts || !changed || autoSince === null) return 0
      const dayAgo = clock.now() - DAY_MS
      const since = new Date(Math.max(dayAgo, Date.parse(autoSince))).toISOString()
      const news = await newVerdicts(db, since)
      if (news.length === 0) return 0
      // Pictures are drawn for what is sent only.
      const recent = await automaticPostsSince(db, new Date(dayAgo).toISOString())
      if (recent >= settings.autoDailyCap) return 0
      let planned = 0
      for (const verdict of news) {
        const outcome = await plan(verdict, { ...settings, changed })
        if (outcome === 'cap') break
        if (outcome === 'planned') planned += 1
      }
      return planned
    },
  }
}

function shown(settings: StoredSettings): z.input<typeof changeSocialSettings.reply> {
  return {
    auto_verdicts: settings.autoVerdicts,
    auto_networks: settings.autoNetworks,
    auto_with_link: settings.autoWithLink,
    auto_daily_cap: settings.autoDailyCap,
    changed_by: settings.changed?.by.username ?? null,
    changed_at: settings.changed ? new Date(settings.changed.at).toISOString() : null,
  }
}
