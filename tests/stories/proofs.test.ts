import { createHash } from 'node:crypto'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { listJobs } from '#contracts/operations.ts'
import { ProofDay, ProofDays, recordProofs, signedRecord } from '#contracts/signed-record.ts'
import { bytesOfHex } from '#domain/proof/bytes.ts'
import { checkProof } from '#domain/proof/check-proof.ts'
import { addVerifyProof } from '#server/attestation/attestation.commands.ts'
import { blockHeaders, otsCalendar, type Calendar } from '#server/attestation/calendars.ts'
import { closeDay, defineStamps, queueStamps } from '#server/attestation/stamping.service.ts'
import { entry } from '#tests/support/builders.ts'
import { emptied, onceForFile } from '#tests/support/once-for-file.ts'
import { signedIn } from '#tests/support/sign-in.ts'
import {
  startCalendar,
  type CalendarBehaviour,
  type StandInCalendar,
} from '#tests/support/stand-ins/ots-calendar.ts'
import { testApp } from '#tests/support/test-app.ts'
import { shows } from '#tests/support/waiting.ts'

const PROOF_KEY = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'
const PROOF_START = Date.parse('2026-11-20T12:00:00Z')

/** A site that signs its record and stamps its days with these calendars, if any. */
async function signing(calendars: Calendar[]) {
  const clock = { ms: PROOF_START, now: () => clock.ms }
  const app = await testApp({
    clock,
    settings: {
      nostr: { privateKey: PROOF_KEY },
      proofs: { calendars: calendars.map(({ address }) => address) },
    },
    ports: { proofs: { calendars, headers: null } },
  })
  return { ...app, clock }
}

const withCalendars = onceForFile(() => signing([otsCalendar('http://127.0.0.1:9')]))
const without = onceForFile(() => signing([]))

/**
 * A record of six events, signed on 20 November, with these calendars; with headers if one of them has them;
 * `silent` times out soon.
 */
async function proving(
  calendars: readonly StandInCalendar[],
  headersOf: StandInCalendar | null = null,
  silent: StandInCalendar | null = null,
) {
  const app = calendars.length > 0 ? withCalendars() : without()
  app.clock.ms = PROOF_START
  await emptied(app)
  await app.publish(entry('jane-1'), entry('jane-2', { price_target: 90 }))
  expect(await app.nostr.record.sign()).toBe(6)
  const kit = {
    ...app.kit,
    outbox: app.outbox,
    calendars: calendars.map((one) =>
      otsCalendar(one.url, { timeoutMs: one === silent ? 300 : 60_000 }),
    ),
    headers: headersOf && blockHeaders(headersOf.url, 0),
  }
  defineStamps(kit)
  return {
    app,
    kit,
    after: async (ms: number): Promise<void> => {
      app.clock.ms += ms
      await closeDay(kit)
      await queueStamps(kit)
      while (await app.outbox.deliver('stamp'));
    },
    days: async () => ProofDays.parse(await app.proofs.service.days()).days,
    record: async (id = 'jane-1') => (await app.read(signedRecord, id)).in_force,
    bytes: async (path: string): Promise<Uint8Array> => {
      const { statusCode, rawPayload } = await app.app.inject(path)
      expect([path, statusCode]).toEqual([path, 200])
      return new Uint8Array(rawPayload)
    },
    job: async () => {
      const admin = await signedIn(app)
      const { jobs, warnings } = await admin.read(listJobs)
      return { warnings, job: jobs.find(({ name }) => name === 'proofs') }
    },
  }
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Runs `verify-proof` on files of these names. */
async function inTerminal(
  disk: ReadonlyMap<string, Uint8Array>,
  words: readonly string[],
): Promise<{ exit: unknown; last: string | undefined }> {
  const lines: string[] = []
  const program = new Command()
  const readBytes = async (name: string) => disk.get(name) ?? new Uint8Array()
  addVerifyProof(program, { readBytes, print: (line) => lines.push(line) })
  const before = process.exitCode
  process.exitCode = 0
  try {
    await program.parseAsync(['verify-proof', ...words], { from: 'user' })
    return { exit: process.exitCode, last: lines.at(-1) }
  } finally {
    process.exitCode = before
  }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe('the record in Bitcoin', () => {
  it('the record of a day is stamped, followed into a block, served, and verified by outside programs', async () => {
    await using calendar = await startCalendar()
    const world = await proving([calendar], calendar)
    // The day of the signatures has not ended.
    await world.after(11 * HOUR)
    expect(await world.days()).toEqual([])
    expect((await world.app.read(recordProofs, 'jane-1')).events.map(({ proof }) => proof)).toEqual(
      [null, null, null],
    )

    await world.after(HOUR)
    expect(ProofDays.parse((await world.app.get('/proofs.json')).body).days).toMatchObject([
      { day: '2026-11-20', events: 6, state: 'promised', block: null },
    ])
    const [event] = await world.record()
    if (!event) throw new Error('no event')
    const file = await world.bytes(`/proofs/events/${event.id}.json`)
    const { id, pubkey, created_at, kind, tags, content, sig } = event
    expect(Buffer.from(file).toString()).toBe(
      JSON.stringify({ id, pubkey, created_at, kind, tags, content, sig }),
    )
    const promise = await world.bytes(`/proofs/events/${event.id}.ots`)
    expect(checkProof(file, promise, [])).toMatchObject({
      outcome: 'open',
      steps: [
        { is: 'good', title: 'The event' },
        { is: 'open', text: expect.stringContaining(calendar.url) },
      ],
    })

    // Not in a block yet: nothing changes.
    await world.after(HOUR)
    expect(await world.days()).toMatchObject([{ state: 'promised' }])
    const header = calendar.mine()
    await world.after(HOUR)
    const [day] = await world.days()
    expect(day).toMatchObject({
      state: 'attested',
      said: expect.stringContaining('was compared'),
      block: { height: 900_000, hash: expect.any(String) },
    })

    const proof = await world.bytes(`/proofs/events/${event.id}.ots`)
    const dayProof = await world.bytes('/proofs/2026-11-20.ots')
    const input = [{ height: 900_000, bytes: bytesOfHex(header) ?? file }]
    expect(checkProof(file, proof, input, 0)).toMatchObject({ outcome: 'proved' })
    const dayFile = await world.bytes('/proofs/2026-11-20.json')
    expect(checkProof(dayFile, dayProof, input, 0)).toMatchObject({ outcome: 'proved' })

    // The same in a terminal.
    const disk = new Map([
      ['event', file],
      ['proof', proof],
      ['day', dayFile],
      ['root', dayProof],
      ['header', bytesOfHex(header) ?? file],
    ])
    const terminal = (...words: string[]) => inTerminal(disk, words)
    expect(await terminal('event', 'proof', '--test-chain', '--header', 'header')).toMatchObject({
      exit: 0,
      last: 'Proved: this was on record before that block.',
    })
    expect(
      await terminal('day', 'root', '--test-chain', '--header', `900000:${header}`),
    ).toMatchObject({ exit: 0 })
    expect(await terminal('event', 'proof')).toMatchObject({
      exit: 3,
      last: 'Nothing is wrong, but nothing is proved yet.',
    })
    expect(await terminal('event', 'proof', '--header', 'header')).toMatchObject({
      exit: 1,
      last: 'This does not fit together.',
    })
    expect(await terminal('day', 'proof')).toMatchObject({ exit: 1 })
    await expect(terminal('event', 'proof', '--header', 'event')).rejects.toThrow(
      'event contains no header: 80 bytes',
    )

    // The instructions on the prediction's page, followed with outside tools only.
    const { events: visible } = await world.app.read(recordProofs, 'jane-1')
    const { leaves, root } = ProofDay.parse(JSON.parse(Buffer.from(dayFile).toString()))
    expect(leaves.map(({ event_id }) => event_id)).toEqual(
      leaves.map(({ event_id }) => event_id).toSorted((a, b) => (a < b ? -1 : 1)),
    )
    for (const { event_id: one, proof: of } of visible) {
      const complete = await world.bytes(`/proofs/events/${one}.json`)
      let at = createHash('sha256').update(complete).digest()
      expect(leaves.find(({ event_id }) => event_id === one)?.sha256).toBe(at.toString('hex'))
      for (const { step, hex } of of?.way ?? []) {
        const bytes = Buffer.from(hex ?? '', 'hex')
        if (step === 'append') at = Buffer.concat([at, bytes])
        else if (step === 'prepend') at = Buffer.concat([bytes, at])
        else at = createHash('sha256').update(at).digest()
      }
      expect([at.toString('hex'), of?.root]).toEqual([root, root])
    }
    expect(visible).toHaveLength(3)
  })

  it('every event is in the tree of exactly one day, however many processes make it', async () => {
    const world = await proving([])
    const { app } = world
    const count = async (): Promise<unknown> =>
      await app.sql('select day, count(*)::int from proof_leaves group by day order by day')

    // Nothing is sent outside, but the days are stored: a calendar set up later stamps them all.
    await world.after(DAY)
    expect(await world.days()).toMatchObject([
      { state: 'unstamped', said: expect.stringContaining('no calendar') },
    ])
    await world.after(DAY)
    expect(await world.days()).toHaveLength(1)

    await app.imports.predictions(JSON.stringify([entry('jane-3', { price_target: 80 })]))
    await app.nostr.record.sign()
    app.clock.ms = PROOF_START + 3 * DAY
    const made = await Promise.all(Array.from({ length: 5 }, () => closeDay(world.kit)))
    expect(made.filter((day) => day !== null)).toEqual(['2026-11-22'])
    expect(await count()).toEqual([
      { day: '2026-11-20', count: 6 },
      { day: '2026-11-22', count: 3 },
    ])
    for (const { day, root } of await world.days()) {
      const file = await world.bytes(`/proofs/${day}.json`)
      const { leaves } = ProofDay.parse(JSON.parse(Buffer.from(file).toString()))
      for (const { event_id: id, sha256: hash } of leaves) {
        expect(sha256(await world.bytes(`/proofs/events/${id}.json`))).toBe(hash)
      }
      expect(root).toMatch(/^[0-9a-f]{64}$/)
    }
    expect(await world.job()).toMatchObject({ job: { state: 'off' }, warnings: [] })
  })
})

describe('calendars', () => {
  it.each<[CalendarBehaviour, string]>([
    ['silent', 'did not answer in time (0.3 s).'],
    ['huge', 'sent more than 10000 bytes.'],
    ['garbage', 'sent an invalid answer. The proof has a step that is not known here (0x3c).'],
    ['another proof', 'sent an invalid answer.'],
    ['no promise', 'sent an invalid answer. It contains no promise.'],
    ['elsewhere', 'cannot be reached: it sends us elsewhere (HTTP 302).'],
    ['busy', 'asks us to wait 60 minutes (HTTP 429).'],
  ])(
    'one that is %s is refused with a message, and the others continue',
    async (behaviour, message) => {
      await using good = await startCalendar()
      await using bad = await startCalendar()
      bad.set(behaviour)
      const world = await proving([bad, good], null, behaviour === 'silent' ? bad : null)
      await world.after(DAY)
      const error = async (): Promise<unknown> =>
        (
          await world.app.sql(`select last_error from outbox where kind = 'stamp' and lane = $1`, [
            bad.url,
          ])
        )[0]?.last_error
      expect(await error()).toContain(message)
      expect(await error()).toMatch(/^The calendar 127\.0\.0\.1:\d+ /)
      expect(await world.days()).toMatchObject([{ state: 'promised' }])
      const request = bad.calls.length
      await world.after(30_000)
      expect(bad.calls).toHaveLength(request)
      good.mine()
      await world.after(HOUR)
      expect(await world.days()).toMatchObject([
        {
          state: 'attested',
          said: expect.stringContaining('compare the header of that block yourself'),
          block: { hash: null },
        },
      ])
      // The calendar is used again as soon as it answers.
      bad.set('honest')
      await shows(async () => {
        await world.after(7 * HOUR)
        expect(await error()).toBeNull()
      })
    },
  )

  it("one that claims a block is not believed if the block's header differs", async () => {
    await using calendar = await startCalendar()
    const world = await proving([calendar], calendar)
    await world.after(DAY)
    calendar.mine()
    calendar.set('lies')
    await world.after(HOUR)
    expect(await world.days()).toMatchObject([{ state: 'promised', block: null }])
    expect((await world.job()).job).toMatchObject({
      state: 'failing',
      last_error: expect.stringContaining(
        'which the header of that block does not confirm. Its Merkle root is not the one',
      ),
    })
    // The calendar's promise is stored, so it can still be fulfilled.
    calendar.set('honest')
    await world.after(7 * HOUR)
    expect(await world.days()).toMatchObject([{ state: 'attested', block: { height: 900_000 } }])
  })

  it('a block is compared as soon as headers can be read', async () => {
    await using calendar = await startCalendar()
    const world = await proving([calendar])
    await world.after(DAY)
    calendar.mine()
    await world.after(HOUR)
    expect(await world.days()).toMatchObject([{ block: { height: 900_000, hash: null } }])
    world.kit.headers = blockHeaders(calendar.url, 0)
    await world.after(HOUR)
    expect(await world.days()).toMatchObject([{ block: { hash: expect.any(String) } }])
  })

  it('a day that is not in a block for long is reported to administrators', async () => {
    await using calendar = await startCalendar()
    const world = await proving([calendar])
    await world.after(DAY)
    const warnings = () => world.app.proofs.service.warnings()
    expect(await warnings()).toEqual([])
    calendar.set('busy')
    await world.after(2 * DAY + HOUR)
    expect(await warnings()).toEqual([
      {
        name: 'proofs',
        text: expect.stringMatching(
          /^The signed record of 20\/11\/2026 is in no block of Bitcoin yet .* asks us to wait/,
        ),
      },
    ])
    expect((await world.job()).warnings).toEqual(await warnings())
  })

  it('a site with calendars stamps automatically', async () => {
    await using calendar = await startCalendar()
    await using world = await testApp({
      clock: { now: () => PROOF_START },
      settings: { nostr: { privateKey: PROOF_KEY }, proofs: { calendars: [calendar.url] } },
    })
    await world.imports.predictions(JSON.stringify([entry('jane-1')]))
    await world.nostr.record.sign()
    await world.sql(`update nostr_events set signed_at = '2026-11-19T23:59:59Z'`)
    world.start()
    await shows(async () => {
      const { days } = await world.proofs.service.days()
      expect(days).toMatchObject([{ day: '2026-11-19', events: 3, state: 'promised' }])
    })
  })
})

it('the files explain missing items in a sentence, and support conditional requests', async () => {
  const world = await proving([])
  await world.after(DAY)
  const [event] = await world.record()
  for (const [path, message] of [
    ['/proofs/2026-11-21.json', 'no new events of this day'],
    ['/proofs/2026-11-21.ots', 'no new events of this day'],
    ['/proofs/tomorrow.json', 'Please give a day such as 2026-11-20.'],
    ['/proofs/2026-13-45.ots', 'Please give a day such as 2026-11-20.'],
    ['/proofs/2026-11-20.ots', 'No calendar of OpenTimestamps has taken this day yet'],
    [
      `/proofs/events/${event?.id ?? ''}.ots`,
      'No calendar of OpenTimestamps has taken this day yet',
    ],
    ['/proofs/events/none.json', 'There is no signed event of the record with this id.'],
    ['/proofs/events/none.ots', 'There is no signed event of the record with this id.'],
    ['/api/v1/record/nobody/proofs', 'Nothing is signed for a prediction of this name.'],
  ] as const) {
    const { status, body } = await world.app.get(path)
    expect([path, status, body]).toEqual([
      path,
      404,
      expect.objectContaining({ error: expect.stringContaining(message) }),
    ])
  }
  const url = '/proofs/2026-11-20.json'
  const first = await world.app.app.inject({ url })
  const { etag } = first.headers
  for (const open of [url, '/proofs/2026-11-21.json', '/api/v1/record/jane-1/proofs']) {
    const { headers } = await world.app.app.inject(open)
    expect([open, headers['access-control-allow-origin']]).toEqual([open, '*'])
  }
  const again = await world.app.app.inject({ url, headers: { 'if-none-match': String(etag) } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  expect((await world.app.app.inject('/proofs')).headers.location).toBe('/proofs.json')
})
