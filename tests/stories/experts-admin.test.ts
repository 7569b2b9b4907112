import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  AdminExpert,
  likelyDuplicates,
  listExpertsAdmin,
  mergeExpert,
} from '#contracts/corrections.ts'
import { entry } from '#tests/support/builders.ts'
import { sharedCorrected, type CorrectedSite } from '#tests/support/corrected.ts'
import { Failed } from '#tests/support/payment-world.ts'
import { plainPages } from '#tests/support/test-app.ts'

const URL = '/api/v1/admin/experts'
const Saved = z.object({ expert: AdminExpert })

async function find(on: CorrectedSite, q: string): Promise<AdminExpert> {
  const found = await on.admin.read(listExpertsAdmin, `?q=${encodeURIComponent(q)}`)
  const [row] = found.rows
  if (!row || found.total !== 1) throw new Error(`${String(found.total)} people for ${q}`)
  return row
}

async function edit(on: CorrectedSite, of: AdminExpert, body: object) {
  const { id, version } = of
  const answer = await on.admin.call('PUT', `${URL}/${String(id)}`, { version, ...body })
  if (answer.status !== 200) return { status: answer.status, ...Failed.parse(answer.body) }
  await on.world.refresh()
  return { status: 200, expert: Saved.parse(answer.body).expert }
}

const on = sharedCorrected({ options: { pages: plainPages() } })

function merge({ id, version }: AdminExpert, into: Pick<AdminExpert, 'id'>, more: object = {}) {
  const body = { version, into: into.id, ...more }
  return on.admin.call('POST', `${URL}/${String(id)}/merge`, body)
}

async function redirectOf(slug: string) {
  const { statusCode, headers } = await on.world.app.inject(`/experts/${slug}`)
  expect(statusCode).toBe(301)
  return headers.location
}

describe('a person on record', () => {
  it('is renamed: the old address redirects, the old name is still recognized', async () => {
    const before = await find(on, 'expert a')
    const { expert } = await edit(on, before, {
      name: 'Ada Quant',
      handles: ['@AdaQuant', 'https://x.com/ada'],
      is_firm: true,
      reason: 'Her real name',
    })
    expect(expert).toMatchObject({
      name: 'Ada Quant',
      slug: 'ada-quant',
      aliases: ['Expert A'],
      handles: ['AdaQuant', 'ada'],
      old_slugs: ['expert-a'],
      is_firm: true,
      predictions: 1,
      version: 1,
    })
    expect(await redirectOf('expert-a?sort=date')).toBe('/experts/ada-quant?sort=date')
    expect((await on.world.app.inject('/experts/ada-quant')).statusCode).toBe(200)
    expect((await on.world.app.inject('/experts/nobody')).statusCode).toBe(404)
    expect((await on.world.get('/api/v1/experts/expert-a')).body).toMatchObject({
      expert: { slug: 'ada-quant', x_handle: 'AdaQuant' },
      predictions: [{ influencer: { name: 'Ada Quant', is_firm: true } }],
    })
    // In a file the handle identifies a person, whatever the name; a new spelling is the same person.
    await on.world.publish(entry('e', { expert_name: 'Expert B', x_handle: '@ADAQUANT' }))
    expect((await find(on, 'ada')).predictions).toBe(2)
    expect((await find(on, 'expert b')).predictions).toBe(1)
    // Calls under the old name are still hers, and nobody else gets her old address.
    await on.world.publish(entry('c'), entry('d', { expert_name: 'Expert-A!' }))
    expect((await find(on, 'ada')).predictions).toBe(4)
    const other = await find(on, 'expert b')
    const renamed = await edit(on, other, { name: 'Expert A B', reason: '' })
    expect(renamed.expert?.slug).toBe('expert-a-b')
    expect((await on.audit()).at(-1)).toMatchObject({
      action: 'expert edited',
      before: { name: 'Expert A', slug: 'expert-a', version: 0 },
      after: { name: 'Ada Quant', slug: 'ada-quant', handles: ['AdaQuant', 'ada'], version: 1 },
      reason: 'Her real name',
    })
  })

  it('goes back to an earlier address with the earlier name', async () => {
    await edit(on, await find(on, 'expert a'), { name: 'Ada Quant' })
    const back = await edit(on, await find(on, 'ada'), { name: 'Expert A', aliases: [] })
    expect(back.expert).toMatchObject({ slug: 'expert-a', old_slugs: ['ada-quant'] })
    expect((await on.world.app.inject('/experts/expert-a')).statusCode).toBe(200)
    expect(await redirectOf('ada-quant')).toBe('/experts/expert-a')
  })

  it('speaks for a firm, whose page names them', async () => {
    const { imports } = on.world
    const input = { expert_name: 'Expert C', firm: 'Firm F' }
    await imports.predictions(JSON.stringify([entry('c', input)]))
    const visible = async (slug: string) => (await on.world.get(`/api/v1/experts/${slug}`)).body
    const unknown = { firm: { name: 'Firm F', slug: null } }
    expect(await visible('expert-c')).toMatchObject({ expert: unknown })
    const firm = { expert_name: 'Firm F (Research)', is_firm: true }
    await imports.predictions(JSON.stringify([entry('f', firm)]))
    await edit(on, await find(on, 'firm f'), { aliases: ['firm f'] })
    await edit(on, await find(on, 'expert b'), { firm: 'Firm F' })
    const known = { firm: { slug: 'firm-f-research' } }
    expect(await visible('expert-c')).toMatchObject({ expert: known })
    const people = [{ slug: 'expert-b' }, { slug: 'expert-c' }]
    expect(await visible('firm-f-research')).toMatchObject({ expert: { firm: null, people } })
    await edit(on, await find(on, 'expert b'), { firm: '' })
    expect(await visible('firm-f-research')).toMatchObject({ expert: { people: people.slice(1) } })
  })

  it("cannot take another person's name, and a stale edit is refused", async () => {
    const [a, b] = [await find(on, 'expert a'), await find(on, 'expert b')]
    await edit(on, b, { handles: ['@same'] })
    for (const [body, field] of [
      [{ name: 'expert  B' }, 'name'],
      [{ aliases: ['EXPERT B'] }, 'aliases'],
      [{ handles: ['https://twitter.com/Same?x'] }, 'handles'],
    ] as const) {
      expect(await edit(on, a, body)).toMatchObject({
        status: 400,
        error: expect.stringContaining('merge the entries'),
        fields: { [field]: expect.any(String) },
      })
    }
    // The handle is already stored, so only the stale version is refused.
    expect(await edit(on, b, { handles: ['@same'] })).toMatchObject({
      status: 409,
      error: expect.stringContaining('Admin A changed this'),
      fields: { handles: expect.stringContaining('from [] to ["same"]') },
    })
    for (const body of [{ name: '' }, { slug: 'mine' }, {}]) {
      expect([body, (await edit(on, a, body)).status]).toEqual([body, 400])
    }
    expect((await on.admin.call('GET', `${URL}/99999`)).status).toBe(404)
    expect((await on.admin.call('GET', `${URL}/x`)).status).toBe(400)
  })
})

describe('two people who are the same', () => {
  it('are suggested, and merged with all their data', async () => {
    await on.world.publish(
      entry('c', { expert_name: 'Michael Saylor', x_handle: 'saylor' }),
      entry('d', { expert_name: 'Michael Sailor', x_handle: 'msailor' }),
      entry('f', { expert_name: 'Michael Sailor', price_target: 90 }),
    )
    const { pairs } = await on.admin.read(likelyDuplicates)
    expect(pairs).toHaveLength(1)
    expect(pairs[0]?.why).toBe('“Michael Saylor” and “Michael Sailor” differ by a letter.')
    const [into, from] = [await find(on, 'michael saylor'), await find(on, 'michael sailor')]
    await on.world.sql(
      `insert into submissions (id, origin, status, asset, expert_name, prediction_type, timing, price_prediction, target_time, existing_influencer_id, created_at)
       values (gen_random_uuid(), 'admin', 'pending', 'btc', 'M', 'target', 'by', '$1', '2027-01-01', $1, now())`,
      [from.id],
    )
    expect((await merge(from, from)).status).toBe(400)
    const answer = await merge(from, into, { reason: 'A slip of the pen' })
    expect(mergeExpert.reply.parse(answer.body)).toMatchObject({
      message:
        'Merged into Michael Saylor. These are now duplicates: d and c. Withdraw one of each pair.',
      said_twice: [{ kept: 'c', moved: 'd' }],
      moved: { predictions: 2, submissions: 1, names: 2 },
      expert: { predictions: 3, aliases: ['Michael Sailor'], handles: ['saylor', 'msailor'] },
    })
    await on.world.refresh()
    expect(await redirectOf('michael-sailor')).toBe('/experts/michael-saylor')
    expect((await on.historyTexts('d')).at(-1)).toBe(
      'edited: Now listed under Michael Saylor (previously Michael Sailor). Reason: A slip of the pen.',
    )
    const gone = await on.admin.call('GET', `${URL}/${String(from.id)}`)
    expect(gone.body).toMatchObject({ merged_into: into.id, predictions: 0 })
    const again = await merge({ ...from, version: 1 }, into)
    expect(Failed.parse(again.body).error).toContain('has been merged into Michael Saylor')
    // Nobody is merged into a merged person: their predictions would be listed under a redirecting name.
    const third = await find(on, 'expert a')
    const late = await merge(third, from)
    expect([late.status, Failed.parse(late.body).error]).toEqual([
      409,
      'Michael Sailor has been merged into another influencer meanwhile.',
    ])
    expect(await find(on, 'expert a')).toEqual(third)
    const lists = await on.world.get('/api/v1/experts')
    expect(JSON.stringify(lists.body)).not.toContain('"Michael Sailor"')
    // Calls under the merged name now belong to the target, also after a second merge.
    await on.world.publish(entry('e', { expert_name: 'michael sailor' }))
    expect((await find(on, 'michael saylor')).predictions).toBe(4)
    const chain = await merge(await find(on, 'michael saylor'), third)
    expect(chain.status).toBe(200)
    await on.world.refresh()
    for (const slug of ['michael-sailor', 'michael-saylor']) {
      expect(await redirectOf(slug)).toBe('/experts/expert-a')
    }
    expect(await on.world.imports.judge()).toBe(0)
  })

  it('are merged once if two administrators merge them in opposite directions', async () => {
    const [a, b] = [await find(on, 'expert a'), await find(on, 'expert b')]
    const answers = await Promise.all([merge(a, b), merge(b, a)])
    expect(answers.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([200, 409])
    const { rows } = await on.admin.read(listExpertsAdmin)
    expect(rows.map(({ predictions }) => predictions)).toEqual([2])
  })
})
