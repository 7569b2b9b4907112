import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { archiveOf, gzipOf, measureArchive, type ContentsOf, packFile } from './archive.ts'

const SNAPSHOT = { folder: 'proof-of-price-2026-11-24', madeSeconds: 1_795_478_573 }

const NOTHING = new Uint8Array()

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

async function world() {
  const files = [
    await packFile('a.csv', [
      ['id,name\r\n'],
      ['1,ünï', 'code\r\n'],
      ['1,ünïcode\r\n'.repeat(299)],
    ]),
    await packFile('empty.json', []),
    await packFile('whole.txt', [['x'.repeat(512)]]),
  ]
  const parts = files.flatMap((file) => file.parts)
  // In small pieces, as read from the database.
  const contentsOf: ContentsOf = async function* (sha256) {
    const { deflated } = parts.find((part) => part.sha256 === sha256) ?? { deflated: NOTHING }
    for (let i = 0; i < deflated.length; i += 7) yield deflated.subarray(i, i + 7)
  }
  return {
    files: files.map((file) => ({ ...file, parts: file.parts.map((part) => part.sha256) })),
    contentsOf,
  }
}

it('an archive can be read by tar and gzip, and each of its files by gzip', async () => {
  const { files, contentsOf } = await world()
  const measured = await measureArchive(SNAPSHOT, files, contentsOf)
  const archive = await bytesOf(archiveOf(SNAPSHOT, files, { crc: measured.crc, contentsOf }))
  expect(measured.bytes).toBe(archive.length)
  expect(measured.sha256).toBe(createHash('sha256').update(archive).digest('hex'))
  const tar = { input: archive, env: { TZ: 'UTC' } }
  const lines = execFileSync('tar', ['-tvzf', '-'], tar).toString().trim().split('\n')
  expect(lines.map((line) => line.replace(/ +/g, ' '))).toEqual([
    expect.stringMatching(/^-rw-r--r-- 0\/0 3909 .* proof-of-price-2026-11-24\/a.csv$/),
    expect.stringMatching(/^-rw-r--r-- 0\/0 0 .* proof-of-price-2026-11-24\/empty.json$/),
    expect.stringMatching(/^-rw-r--r-- 0\/0 512 .* proof-of-price-2026-11-24\/whole.txt$/),
  ])
  for (const file of files) {
    const alone = await bytesOf(gzipOf(file, contentsOf))
    const plain = gunzipSync(alone)
    expect(createHash('sha256').update(plain).digest('hex')).toBe(file.sha256)
    const path = `${SNAPSHOT.folder}/${file.name}`
    const unpacked = execFileSync('tar', ['-xzOf', '-', path], { input: archive })
    expect(unpacked.equals(plain)).toBe(true)
  }
})

it('an archive has the same bytes in every version of this code and of zlib', async () => {
  // Compressed in advance: `a,b\n` and `hello\n`.
  const stored = new Map([
    ['1', Buffer.from('4ad449e202000000ffff', 'hex')],
    ['2', Buffer.from('ca48cdc9c9e702000000ffff', 'hex')],
  ])
  const contentsOf: ContentsOf = async function* (sha256) {
    yield stored.get(sha256) ?? NOTHING
  }
  const files = [
    { name: 'one.csv', bytes: 4, parts: ['1'] },
    { name: 'two.json', bytes: 6, parts: ['2'] },
  ]
  expect(await measureArchive(SNAPSHOT, files, contentsOf)).toEqual({
    bytes: 3_119,
    crc: 3_640_806_968,
    sha256: 'c7617c8ec49add4fb7f915903c94e62ad1f4b9942797821ca7851e4757ad97a2',
  })
})
