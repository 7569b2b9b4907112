import {
  callsOf,
  form,
  PICTURES,
  POSTS,
  postOf,
  socialOfFile,
  socialWorld,
} from '#tests/support/social-world.ts'
import { sharpReader } from '#server/publishing/pictures/pictures.service.ts'
import { handTimers } from '#tests/support/timers.ts'
import { until } from '#tests/support/waiting.ts'
import { gif, JPEG, noisyJpeg, PNG } from '#tests/support/pictures.ts'
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'

const world = socialOfFile()
const { call, post, tweet, upload } = callsOf(world)

type Parts = Parameters<typeof form>[0]
const TEXT = ['text', 'a'] as const
const WITH_IMAGES = '/api/x/tweet-with-images'
/** A post with one file. */
const file = (bytes: string | Buffer, name = 'a.png'): Parts => [TEXT, ['images[]', bytes, name]]

describe('a post with pictures', () => {
  it('carries them without metadata, with their alternative texts', async () => {
    const { app, admin, x } = world()
    const answer = await upload(WITH_IMAGES, [
      ['text', 'Two pictures'],
      ['images[]', noisyJpeg(JPEG), 'photo.png'],
      ['alt[]', 'A place'],
      ['images[]', gif(1), 'move.exe'],
    ])
    expect(answer.json()).toMatchObject({ success: true })
    const stored = (x.posts[0]?.media ?? []).map((id) => x.media.get(id))
    expect(stored.map((one) => one?.alt)).toEqual(['A place', null])
    for (const one of stored) expect(one?.bytes.toString('latin1')).not.toMatch(/secret|GPS/)
    const [picture] = postOf(answer.json()).pictures
    // Rotated by the camera's orientation.
    expect(picture).toMatchObject({ type: 'image/jpeg', width: 8, height: 12, alt: 'A place' })
    const visible = await app.inject({ url: picture?.url ?? '', headers: admin.headers })
    expect([visible.statusCode, visible.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect((await app.inject({ url: picture?.url ?? '' })).statusCode).toBe(401)
  })

  const BAD: readonly (readonly [string, Parts, RegExp])[] = [
    [
      'five pictures',
      [TEXT, ...Array.from({ length: 5 }, () => ['images[]', PNG, 'a.png'] as const)],
      /^Up to 4 pictures per post\./,
    ],
    ['no picture', file('MZ\u0090 This program', 'photo.png'), /cannot use this file/],
    ['more than 5 MB', file(Buffer.alloc(6_000_000, 1), 'a.jpg'), /5 MB/],
    ['a long alternative', [...file(PNG), ['alt[]', 'a'.repeat(1_001)]], /alternative text/],
    ['a broken alternative', [...file(PNG), ['alt[]', 'a\0']], /alternative text/],
    ['a secret', [...file(PNG), ['alt[]', `nsec1${'q'.repeat(58)}`]], /secret/],
    [
      'a moving GIF beside another picture',
      [...file(gif(2), 'a.gif'), ['images[]', PNG, 'a.png']],
      /animated GIF only as the sole picture/,
    ],
    ['another field of files', [TEXT, ['evil', PNG, 'a.png']], /images\[\]/],
    ['no text', [['text', '  '], ...file(PNG).slice(1)], /Please enter tweet text/],
    ['a cut field', [...file(PNG), ['alt[]', 'a'.repeat(140_000)]], /The field alt is too long/],
  ]
  it('is rejected with an invalid picture, too many pictures, or a partial upload', async () => {
    const { app, admin, x } = world()
    for (const [what, parts, sentence] of BAD) {
      const answer = await upload(WITH_IMAGES, parts)
      expect([what, answer.statusCode]).toEqual([what, 400])
      expect(answer.json()).toMatchObject({ success: false, code: 'invalid' })
      expect(answer.json<{ error: string }>().error).toMatch(sentence)
    }
    const { headers, payload: whole } = form(file(PNG))
    for (const payload of [whole.subarray(0, -60), Buffer.from('x')]) {
      const answer = await app.inject({
        method: 'POST',
        url: WITH_IMAGES,
        headers: { ...admin.headers, ...headers },
        payload,
      })
      expect(answer.statusCode).toBe(400)
    }
    expect(x.requests).toHaveLength(0)
  })

  it('accepts uploaded pictures, but for X no animated GIF with other pictures', async () => {
    const { app, admin, x } = world()
    const pictures: { id: string; alt: string }[] = []
    for (const bytes of [gif(2), PNG]) {
      const taken = await upload(PICTURES, [['image', bytes, 'a']])
      const { id } = taken.json<{ picture: { id: string } }>().picture
      const visible = await app.inject({ url: `${PICTURES}/${id}`, headers: admin.headers })
      expect([visible.statusCode, visible.headers['cache-control']]).toEqual([200, 'no-store'])
      pictures.push({ id, alt: 'c' })
    }
    const both = { networks: ['x', 'nostr'], x_text: 'a', nostr_text: 'b', pictures }
    const { id } = await post({ ...both, action: 'draft' })
    const plan = { action: 'schedule', scheduled_at: '2027-01-01T12:00:00Z' }
    for (const answer of [
      await call(`/${id}/send`),
      await call('', { ...both, action: 'send' }),
      await admin.call('PUT', `${POSTS}/${id}`, { ...both, ...plan }),
    ]) {
      expect(answer).toMatchObject({
        status: 400,
        body: {
          fields: { pictures: expect.stringContaining('animated GIF only as the sole picture') },
        },
      })
    }
    expect(x.requests).toHaveLength(0)
    expect((await call('', { ...both, ...plan, networks: ['nostr'] })).status).toBe(200)

    const one = { ...both, networks: ['x'], pictures: pictures.slice(1), action: 'send' }
    expect((await post(one)).results).toMatchObject([{ state: 'posted' }])
    expect(x.media.get(x.posts[0]?.media[0] ?? '')?.alt).toBe('c')
    const gone = { ...one, pictures: [{ id: randomUUID(), alt: '' }] }
    expect((await call('', gone)).status).toBe(400)
    const none = { prediction_id: 'none' }
    expect((await admin.call('POST', `${PICTURES}/of-prediction`, none)).status).toBe(404)
  })

  it('is refused with a message if reading its picture crashes or hangs, and the next is accepted', async () => {
    const time = handTimers()
    const worker = new URL('../support/hanging-picture-worker.ts', import.meta.url)
    const pictureReader = sharpReader({ file: worker, withinMs: 100, after: time.after })
    await using site = await socialWorld({ pictureReader })
    const send = (picture: string | Buffer) =>
      callsOf(() => site).upload(PICTURES, [['image', picture, 'a.png']])
    const crashed = await send('crash')
    expect([crashed.statusCode, crashed.json()]).toMatchObject([
      503,
      { error: expect.stringContaining('The picture could not be read. Please try again') },
    ])
    const hung = send('hang')
    await until(() => time.open().includes(100))
    expect((await site.app.inject('/healthz')).statusCode).toBe(200)
    time.runOut(100)
    expect([(await hung).statusCode, (await hung).json()]).toMatchObject([
      400,
      { fields: { image: expect.stringContaining('takes too long') } },
    ])
    expect((await send(PNG)).statusCode).toBe(200)
    // Its process ends with the site.
    const last = pictureReader.read(Buffer.from('hang'))
    await Promise.all([expect(last).rejects.toThrow('The server stops.'), site.publishing.stop()])
  })
})

it('texts that X would refuse stay here, and long ones go out unchanged', async () => {
  const { admin, x } = world()
  // The messages are those of `post-length.ts`.
  for (const text of [' \n', 'a'.repeat(10_001), '$BTC and $MSTR', `nsec1${'q'.repeat(58)}`]) {
    const { status, body } = await admin.call('POST', '/api/x/tweet', { text })
    expect([status, (body as { error: string }).error]).toEqual([400, expect.any(String)])
  }
  expect(x.requests).toHaveLength(0)
  const texts = ['a'.repeat(281), 'b'.repeat(4_001), '👨‍👩‍👧‍👦'.repeat(140)]
  for (const text of texts) expect((await tweet(text)).results).toMatchObject([{ state: 'posted' }])
  expect(x.posts.map((one) => one.text)).toEqual(texts)
})
