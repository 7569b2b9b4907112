import { form, postOf, socialWorld } from '#tests/support/social-world.ts'
import { sharpReader } from '#server/publishing/pictures/picture-reader.ts'
import { handTimers } from '#tests/support/timers.ts'
import { until } from '#tests/support/waiting.ts'
import { black, gif, greyPng, hugePng, JPEG, noisyJpeg, PNG } from '#tests/support/pictures.ts'
import { type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, expect, it } from 'vitest'

const POSTS = '/api/v1/admin/social/posts'

describe('a post with pictures', () => {
  it('a post with pictures carries them without metadata, with their alternative texts', async () => {
    await using site = await socialWorld()
    const { app, admin, x } = site
    const upload = form([
      ['text', 'Two pictures'],
      ['images[]', noisyJpeg(JPEG), 'photo.png'],
      ['alt[]', 'A place'],
      ['images[]', gif(1), 'move.exe'],
    ])
    const answer = await app.inject({
      method: 'POST',
      url: '/api/x/tweet-with-images',
      ...upload,
      headers: { ...admin.headers, ...upload.headers },
    })
    expect(answer.json()).toMatchObject({ success: true })
    const kept = (x.posts[0]?.media ?? []).map((id) => x.media.get(id))
    expect(kept.map((one) => one?.alt)).toEqual(['A place', null])
    for (const one of kept) expect(one?.bytes.toString('latin1')).not.toMatch(/secret|GPS/)
    const [picture] = postOf(answer.json()).pictures
    // Turned the way its camera was held.
    expect(picture).toMatchObject({ type: 'image/jpeg', width: 8, height: 12, alt: 'A place' })
    const shown = await app.inject({ url: picture?.url ?? '', headers: admin.headers })
    expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect((await app.inject({ url: picture?.url ?? '' })).statusCode).toBe(401)
  })

  const TEXT = ['text', 'a'] as const
  const BAD: readonly (readonly [string, Parameters<typeof form>[0], RegExp])[] = [
    [
      'five pictures',
      [TEXT, ...Array.from({ length: 5 }, () => ['images[]', PNG, 'a.png'] as const)],
      /^Up to 4 pictures per post\./,
    ],
    [
      'a program',
      [TEXT, ['images[]', 'MZ\u0090 This program', 'photo.png']],
      /cannot use this file/,
    ],
    ['40 megapixels', [TEXT, ['images[]', hugePng(8_000, 5_000), 'a.png']], /8000 × 5000/],
    ['a cut off picture', [TEXT, ['images[]', JPEG.subarray(0, 300), 'a.jpg']], /incomplete/],
    [
      'a PNG with too few rows',
      [TEXT, ['images[]', greyPng(9, 5, black(4 * 10)), 'a.png']],
      /damaged/,
    ],
    [
      'a PNG whose pixels are cut off',
      [TEXT, ['images[]', greyPng(9, 5, black(5 * 10).subarray(0, -3)), 'a.png']],
      /damaged/,
    ],
    [
      'a PNG whose pixels are no packed ones',
      [TEXT, ['images[]', greyPng(9, 5, Buffer.from('hello')), 'a.png']],
      /damaged/,
    ],
    ['an empty picture', [TEXT, ['images[]', '', 'a.jpg']], /empty/],
    ['more than 5 MB', [TEXT, ['images[]', Buffer.alloc(6_000_000, 1), 'a.jpg']], /5 MB/],
    [
      'a long alternative text',
      [TEXT, ['images[]', PNG, 'a.png'], ['alt[]', 'a'.repeat(1_001)]],
      /alternative text/,
    ],
    [
      'a broken alternative text',
      [TEXT, ['images[]', PNG, 'a.png'], ['alt[]', 'a\0']],
      /alternative text/,
    ],
    [
      'a moving GIF beside another picture',
      [TEXT, ['images[]', gif(2), 'a.gif'], ['images[]', PNG, 'a.png']],
      /moving GIF only by itself/,
    ],
    ['another field of files', [TEXT, ['evil', PNG, 'a.png']], /images\[\]/],
    [
      'no text',
      [
        ['text', '  '],
        ['images[]', PNG, 'a.png'],
      ],
      /Please enter tweet text/,
    ],
  ]
  it('a post with pictures is not sent with what is no picture, or too many of them', async () => {
    await using site = await socialWorld()
    const { app, admin, x } = site
    for (const [what, parts, sentence] of BAD) {
      const upload = form(parts)
      const headers = { ...admin.headers, ...upload.headers }
      const url = '/api/x/tweet-with-images'
      const answer = await app.inject({ method: 'POST', url, ...upload, headers })
      expect([what, answer.statusCode]).toEqual([what, 400])
      expect(answer.json()).toMatchObject({ success: false, code: 'invalid' })
      expect(answer.json<{ error: string }>().error).toMatch(sentence)
    }
    expect(x.requests).toHaveLength(0)
  })

  it('a post with pictures carries a PNG with all its rows, in one pass or in seven', async () => {
    await using site = await socialWorld()
    const { app, admin, x } = site
    const upload = form([
      ['text', 'Two pictures'],
      ['images[]', greyPng(9, 5, black(5 * 10)), 'plain.png'],
      // Columns and rows of the passes: 2 × 1, 1 × 1, 3 × 1, 2 × 2, 5 × 1, 4 × 3, 9 × 2; a byte before each row.
      ['images[]', greyPng(9, 5, black(3 + 2 + 4 + 6 + 6 + 15 + 20), true), 'passes.png'],
    ])
    const headers = { ...admin.headers, ...upload.headers }
    const url = '/api/x/tweet-with-images'
    const answer = await app.inject({ method: 'POST', url, ...upload, headers })
    expect(answer.json()).toMatchObject({ success: true })
    expect(x.posts[0]?.media).toHaveLength(2)
  })

  it('a post with pictures is kept with a moving GIF beside another picture, and not sent to X', async () => {
    await using site = await socialWorld()
    const { app, admin, x } = site
    const pictures: { id: string; alt: string }[] = []
    for (const file of [gif(2), PNG]) {
      const upload = form([['image', file, 'a']])
      const headers = { ...admin.headers, ...upload.headers }
      const url = '/api/v1/admin/social/pictures'
      const taken = await app.inject({ method: 'POST', url, ...upload, headers })
      const { id } = taken.json<{ picture: { id: string } }>().picture
      const shown = await app.inject({ url: `${url}/${id}`, headers: admin.headers })
      expect([shown.statusCode, shown.headers['cache-control']]).toEqual([200, 'no-store'])
      pictures.push({ id, alt: '' })
    }
    const texts = { x_text: 'a', nostr_text: 'b', pictures }
    const post = { networks: ['x', 'nostr'], ...texts, action: 'draft' }
    const draft = await admin.call('POST', POSTS, post)
    expect(draft.status).toBe(200)
    const { id } = postOf(draft.body)
    const plan = { action: 'schedule', scheduled_at: '2027-01-01T12:00:00Z' }
    for (const answer of [
      await admin.call('POST', `${POSTS}/${id}/send`, {}),
      await admin.call('POST', POSTS, { ...post, action: 'send' }),
      await admin.call('PUT', `${POSTS}/${id}`, { ...post, ...plan }),
    ]) {
      expect(answer).toMatchObject({
        status: 400,
        body: { fields: { pictures: expect.stringContaining('moving GIF only by itself') } },
      })
    }
    expect(x.requests).toHaveLength(0)
    const elsewhere = { ...post, networks: ['nostr'], action: 'send' }
    expect((await admin.call('POST', POSTS, elsewhere)).status).toBe(200)
    expect(site.nostr.prepared.pictures).toBe(2)
  })

  it('a post with pictures is not sent when the upload breaks off', async () => {
    await using site = await socialWorld()
    const { app, admin } = site
    const upload = form([TEXT, ['images[]', PNG, 'a.png']])
    for (const payload of [upload.payload.subarray(0, -60), Buffer.alloc(0), Buffer.from('x')]) {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/x/tweet-with-images',
        headers: { ...admin.headers, ...upload.headers },
        payload,
      })
      expect(answer.statusCode).toBe(400)
    }
  })

  it('a post with pictures is refused with a sentence when the reading of its picture crashes or hangs, and the next is taken', async () => {
    const time = handTimers()
    const file = new URL('../support/hanging-picture-worker.ts', import.meta.url)
    const pictureReader = sharpReader({ file, withinMs: 100, after: time.after })
    await using site = await socialWorld({ pictureReader })
    const send = (picture: string | Buffer) => {
      const upload = form([['image', picture, 'a.png']])
      return site.app.inject({
        method: 'POST',
        url: '/api/v1/admin/social/pictures',
        ...upload,
        headers: { ...site.admin.headers, ...upload.headers },
      })
    }
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
  })

  it('a post with pictures is read by a process that ends when publishing stops', async () => {
    const readers: ChildProcess[] = []
    const note = (message: unknown): void => {
      readers.push((message as { process: ChildProcess }).process)
    }
    await using site = await socialWorld({
      pictureReader: sharpReader({ after: handTimers().after }),
    })
    subscribe('child_process', note)
    try {
      const upload = form([['image', PNG, 'a.png']])
      const taken = await site.app.inject({
        method: 'POST',
        url: '/api/v1/admin/social/pictures',
        ...upload,
        headers: { ...site.admin.headers, ...upload.headers },
      })
      expect(taken.statusCode).toBe(200)
      const [reader] = readers
      expect([readers.length, reader?.exitCode, reader?.signalCode]).toEqual([1, null, null])
      await site.publishing.stop()
      expect(reader?.signalCode).toBe('SIGKILL')
    } finally {
      unsubscribe('child_process', note)
      for (const reader of readers) reader.kill('SIGKILL')
    }
  })

  it('a post with pictures takes pictures that were uploaded before, drawn or not', async () => {
    await using site = await socialWorld()
    const { app, admin, x } = site
    const upload = form([['image', PNG, 'a.png']])
    const url = '/api/v1/admin/social/pictures'
    const headers = { ...admin.headers, ...upload.headers }
    const taken = await app.inject({ method: 'POST', url, ...upload, headers })
    const { id } = taken.json<{ picture: { id: string } }>().picture
    const post = {
      networks: ['x', 'nostr'],
      x_text: 'a',
      nostr_text: 'b',
      pictures: [{ id, alt: 'c' }],
    }
    const sent = await admin.call('POST', POSTS, { ...post, action: 'send' })
    expect(postOf(sent.body).results).toMatchObject([{ state: 'posted' }, { state: 'posted' }])
    expect(x.media.get(x.posts[0]?.media[0] ?? '')?.alt).toBe('c')
    expect(site.nostr.prepared.pictures).toBe(1)
    const gone = { ...post, pictures: [{ id: randomUUID(), alt: '' }], action: 'send' }
    expect((await admin.call('POST', POSTS, gone)).status).toBe(400)
    const none = { prediction_id: 'none' }
    expect((await admin.call('POST', `${url}/of-prediction`, none)).status).toBe(404)
  })
})

describe('texts', () => {
  it('texts that X or good sense would refuse stay here', async () => {
    await using site = await socialWorld()
    for (const [text, sentence] of [
      [' \n', 'Please enter tweet text'],
      ['a'.repeat(10_001), '10001 of 10000'],
      ['漢'.repeat(5_001), '10002 of 10000'],
      ['$BTC and $MSTR', 'one cashtag'],
      [`nsec1${'q'.repeat(58)}`, 'secret Nostr key'],
    ] as const) {
      const answer = await site.admin.call('POST', '/api/x/tweet', { text })
      expect(answer.status).toBe(400)
      expect((answer.body as { error: string }).error).toContain(sentence)
    }
    const upload = form([
      ['text', 'A picture'],
      ['images[]', PNG, 'a.png'],
      ['alt[]', `nsec1${'q'.repeat(58)}`],
    ])
    const alt = await site.app.inject({
      method: 'POST',
      url: '/api/x/tweet-with-images',
      ...upload,
      headers: { ...site.admin.headers, ...upload.headers },
    })
    expect(alt.json()).toMatchObject({ success: false, error: expect.stringContaining('secret') })
    expect(site.x.requests).toHaveLength(0)
  })

  it('texts of 281, of 4,001 and of emoji go out as they are', async () => {
    await using site = await socialWorld()
    const texts = ['a'.repeat(281), 'b'.repeat(4_001), '👨‍👩‍👧‍👦'.repeat(140)]
    for (const text of texts) {
      expect((await site.admin.call('POST', '/api/x/tweet', { text })).body).toMatchObject({
        success: true,
      })
    }
    expect(site.x.posts.map((one) => one.text)).toEqual(texts)
  })
})
