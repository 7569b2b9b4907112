import { type PageInput } from '#contracts/page.ts'
import { type BuiltPages } from '#server/predictions/web-pages.routes.ts'
import { scoreThread, type ScorePace } from '#server/scores/scores.service.ts'
import { rememberedScores } from '#tests/support/remembered-scores.ts'
import {
  correct,
  corrected,
  storedRows,
  otherProcess,
  quickThread,
  scoredSite,
  scoresAt,
  stuckThread,
} from '#tests/support/score-world.ts'
import { shows, showsByCall } from '#tests/support/waiting.ts'
import { pageAddress } from '#web/public/page-address.ts'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Computes the first scores in a thread of its own, whose start takes two seconds of processor time, and the rest here. */
const threadOnce: NonNullable<ScorePace['thread']> = (kit) => {
  const own = scoreThread(kit)
  let thread = own
  return {
    compute: async (job) => {
      const answer = await thread.compute(job)
      thread = rememberedScores(kit)
      return answer
    },
    close: () => own.close(),
  }
}

describe('the job that computes scores', () => {
  it('the page of experts is rendered again once there are new scores', async () => {
    const render = ({ data }: PageInput) => ({
      head: '',
      body: JSON.stringify(data.page === 'experts' && data.board?.totals),
    })
    const pages: BuiltPages = {
      template: '<!--head--><!--body--><!--data-->',
      folder: resolve('public'),
      render,
      address: pageAddress,
    }
    await using world = await scoredSite({ pages })
    world.scores.start()
    world.jobs.work()
    const drawn = async () => (await world.app.inject('/experts')).body
    await showsByCall(async () => expect(await drawn()).toContain('"hits"'))
    const former = (await scoresAt(world)).totals[0]
    expect(await drawn()).toContain(JSON.stringify(former))
    await correct(world)
    // Rendered from the new record with the previous scores, and cached.
    await world.refresh()
    await drawn()
    await showsByCall(async () => {
      const now = (await scoresAt(world)).totals[0]
      expect(now).not.toEqual(former)
      expect(await drawn()).toContain(JSON.stringify(now))
    })
  })

  it('scores are computed in the background, again after a correction, and survive a restart', async () => {
    await using world = await scoredSite({ scores: { thread: threadOnce } })
    world.scores.start()
    world.jobs.work()
    const all = ['2026-11-19 close', '2026-11-19 touch', '2026-11-20 close', '2026-11-20 touch']
    await shows(async () => {
      const rows = await storedRows(world)
      expect(rows.map(({ as_of, mode }) => `${as_of} ${mode}`)).toEqual(all)
      expect(rows.every((row) => row.is_daily)).toBe(true)
    })
    const before = await scoresAt(world)
    const digestsBefore = (await storedRows(world)).map(({ digest }) => digest)
    expect(corrected(before)).toMatchObject({ level_min: 150, outcome: 'miss', time_is_up: true })

    await correct(world)
    await world.refresh()
    await shows(async () => {
      const digests = (await storedRows(world)).map(({ digest }) => digest)
      expect(digests).toHaveLength(4)
      expect(digests.filter((digest) => digestsBefore.includes(digest))).toEqual([])
    })
    await showsByCall(async () => expect(corrected(await scoresAt(world))?.level_min).toBe(101))
    const after = await scoresAt(world)
    await world.stop()

    // A process that has computed nothing shows stored scores, at once and without computing them again.
    const { asked: request, thread } = stuckThread()
    await using site = await otherProcess(world, { scores: { thread } })
    expect(await scoresAt(site)).toEqual(after)
    site.scores.start()
    site.jobs.work()
    await showsByCall(async () => expect(await scoresAt(site)).toEqual(after))
    expect((await scoresAt(site, '?as_of=2026-11-19')).as_of).toBe('2026-11-19')
    expect(request).toEqual([])
  })

  it('visitors see the previous scores while new ones are computed, in every process', async () => {
    await using world = await scoredSite()
    const former = await scoresAt(world)
    const { asked: request, thread } = stuckThread()
    await using busy = await otherProcess(world, { scores: { thread } })
    busy.scores.start()
    busy.jobs.work()
    await showsByCall(async () => expect(await scoresAt(busy)).toEqual(former))
    await correct(world)
    await busy.record.refresh()
    await shows(() => expect(request.length).toBeGreaterThan(0))
    expect(await scoresAt(busy)).toEqual(former)
    // Scores computed by another process are announced here.
    await world.refresh()
    const latter = await scoresAt(world)
    expect(corrected(latter)?.level_min).toBe(101)
    await showsByCall(async () => expect(await scoresAt(busy)).toEqual(latter))
  })
})

describe('stored scores', () => {
  it('only scores of today and yesterday are stored as daily ones, and unchanged ones render no page', async () => {
    await using world = await scoredSite({ scores: { thread: quickThread } })
    const { service } = world.scores
    await service.bringUpToDate('touch')
    const version = service.version()
    await service.bringUpToDate('touch')
    expect(service.version()).toBe(version)
    await world.app.inject('/api/v1/scores?as_of=2026-11-18')
    expect((await storedRows(world)).map((row) => [row.as_of, row.is_daily])).toEqual([
      ['2026-11-18', false],
      ['2026-11-19', true],
      ['2026-11-20', true],
    ])
  })
})
