import { blossomPictures, signNote } from '#server/publishing/nostr/blossom.ts'
import { nostrSigner } from '#server/publishing/nostr/relays.ts'
import { type Picture } from '#server/publishing/ports.ts'
import { blossomServer, type BlossomBehaviour } from '#tests/support/stand-ins/blossom-server.ts'
import { uploadBlob } from 'blossom-client-sdk/actions/upload'
import { createUploadAuth } from 'blossom-client-sdk/auth'
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { patiently } from '#tests/support/waiting.ts'

const clock = { now: () => Date.now() }
const signer = nostrSigner('67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa')
const PICTURE: Picture = {
  bytes: Buffer.from('not really a picture, and nobody here looks'),
  type: 'image/png',
  width: 1_200,
  height: 675,
  alt: 'A price line,\nand a level it reaches',
}
const SHA256 = createHash('sha256').update(PICTURE.bytes).digest('hex')

function host(servers: readonly string[], withinMs = 60_000) {
  return blossomPictures({ servers, signer, clock, withinMs })
}

it('the reference client can upload to the stand-in', async () => {
  await using server = await blossomServer()
  const sign = async (draft: Parameters<typeof signer.sign>[0]) => ({
    ...(await signer.sign(draft)),
    tags: draft.tags.map((tag) => [...tag]),
  })
  const blob = new Blob([new Uint8Array(PICTURE.bytes)], { type: 'image/png' })
  const made = await uploadBlob(server.url, blob, {
    auth: true,
    onAuth: (url, sha256) => createUploadAuth(sign, sha256, { servers: url, message: 'Upload' }),
  })
  expect(made.sha256).toBe(SHA256)
})

it.each<BlossomBehaviour>(['takes', 'base64-only', 'base64url-only'])(
  'a picture is uploaded to a server that %s',
  async (behaviour) => {
    await using server = await blossomServer(behaviour)
    const made = await host([server.url]).upload(PICTURE, patiently())
    expect(made).toMatchObject({ url: `${server.url}/${SHA256}.png`, sha256: SHA256, width: 1_200 })
    expect(server.stored.get(SHA256)).toEqual({ bytes: PICTURE.bytes, type: 'image/png' })
    const again = await host([server.url]).upload(PICTURE, patiently())
    expect(again.url).toBe(made.url)
  },
)

it('a picture is uploaded to the first server that works', async () => {
  await using broken = await blossomServer({ status: 503 })
  await using hangs = await blossomServer('hangs')
  await using good = await blossomServer()
  const made = await host([broken.url, hangs.url, good.url], 1_000).upload(PICTURE, patiently())
  expect(made.url).toContain(good.url)
})

it.each<[string, BlossomBehaviour, string, RegExp]>([
  [
    'no key',
    { status: 401, reason: 'not a member' },
    'refused',
    /does not take the key of this site \(HTTP 401\): “not a member”/,
  ],
  ['payment', { status: 402 }, 'refused', /wants to be paid for pictures/],
  ['size', { status: 413 }, 'refused', /too large/],
  [
    'type',
    { status: 415, reason: 'only\twebp' },
    'refused',
    /of this type \(HTTP 415\): “only webp”/,
  ],
  ['too many', { status: 429 }, 'busy', /no more pictures for now/],
  ['trouble', { status: 500 }, 'down', /HTTP 500/],
  ['silence', 'hangs', 'down', /did not answer in time/],
  ['a redirect', 'redirects', 'down', /cannot be reached/],
  ['another picture', 'shrinks', 'refused', /stored another picture than the one sent/],
  ['no JSON', 'html', 'refused', /did not say where the picture is/],
  ['too much', 'huge', 'refused', /sent more than 65536 bytes/],
])('an upload to %s is reported', async (_, behaviour, expected, message) => {
  await using server = await blossomServer(behaviour)
  const input = host([server.url], behaviour === 'hangs' ? 300 : undefined)
  await expect(input.upload(PICTURE, patiently())).rejects.toMatchObject({
    fault: expected,
    message: expect.stringMatching(message),
  })
})

it('a note names each picture in its text and in a tag with its details', async () => {
  await using server = await blossomServer()
  const note = { text: 'Said so.\n', pictures: [PICTURE], at: 1_700_000_000_999 }
  const url = `${server.url}/${SHA256}.png`
  const alt = 'alt A price line, and a level it reaches'
  expect(await signNote(signer, host([server.url]), note, patiently())).toMatchObject({
    kind: 1,
    created_at: 1_700_000_000,
    content: `Said so.\n\n${url}`,
    tags: [['imeta', `url ${url}`, 'm image/png', `x ${SHA256}`, 'dim 1200x675', alt]],
  })
})

it.each([
  [415, 'refused'],
  [503, 'unsent'],
])('a note is not signed if its picture cannot be uploaded (%i)', async (status, state) => {
  await using server = await blossomServer({ status })
  const note = { text: 'Said so.', pictures: [PICTURE], at: 0 }
  await expect(signNote(signer, host([server.url]), note, patiently())).rejects.toMatchObject({
    not: { state },
  })
})
