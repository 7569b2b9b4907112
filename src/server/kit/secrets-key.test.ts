import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import type * as Files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { secretBox, secretsKey, SecretsKeyError } from './secrets.ts'

const disk = vi.hoisted(() => ({
  isFull: false,
  /** Called when a file is open but empty. */
  opened: null as (() => Promise<void>) | null,
}))
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof Files>()
  const write: typeof real.writeFile = async (file, text, options) => {
    await real.writeFile(file, '', options)
    const { opened } = disk
    disk.opened = null
    await opened?.()
    if (disk.isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    await real.writeFile(file, text)
  }
  return { ...real, writeFile: write }
})

let folder: string
beforeEach(async () => {
  Object.assign(disk, { isFull: false, opened: null })
  folder = await mkdtemp(join(tmpdir(), 'key-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('the key of second factors', () => {
  it('is created once, even by concurrent processes, and readable by its owner only', async () => {
    const dataDir = join(folder, 'data')
    const keys = await Promise.all(Array.from({ length: 5 }, () => secretsKey(null, dataDir)))
    expect(await readdir(dataDir)).toEqual(['secrets.key'])
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
    expect(keys[0]).toHaveLength(32)
    const { mode } = await stat(join(dataDir, 'secrets.key'))
    // Windows has no such modes.
    expect(mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600)
    const text = await readFile(join(dataDir, 'secrets.key'), 'utf8')
    expect(text).toBe(`${keys[0]?.toString('hex') ?? ''}\n`)
  })

  it('is never read half-written by another process', async () => {
    let second: Buffer | null = null
    disk.opened = async () => void (second = await secretsKey(null, folder))
    const first = await secretsKey(null, folder)
    expect(second).toEqual(first)
    expect(await readdir(folder)).toEqual(['secrets.key'])
  })

  it('leaves no file behind when the disk is full, so that the next start creates it', async () => {
    disk.isFull = true
    await expect(secretsKey(null, folder)).rejects.toThrow(/ENOSPC.*disk has room/)
    expect(await readdir(folder)).toEqual([])
    disk.isFull = false
    expect(await secretsKey(null, folder)).toHaveLength(32)
  })

  it('comes from the settings if set, without a file', async () => {
    expect(await secretsKey('ab'.repeat(32), folder)).toEqual(Buffer.alloc(32, 0xab))
    await expect(stat(join(folder, 'secrets.key'))).rejects.toThrow(/ENOENT/)
  })

  it('explains a file without a key, and a folder that is not writable', async () => {
    await writeFile(join(folder, 'secrets.key'), 'half a k')
    await expect(secretsKey(null, folder)).rejects.toThrow(SecretsKeyError)
    await expect(secretsKey(null, folder)).rejects.toThrow(/--drop-second-factor/)
    // It may have been used to seal something.
    await expect(secretsKey(null, folder)).rejects.not.toThrow(/delete/)
    const noFolder = join(folder, 'secrets.key', 'below a file')
    await expect(secretsKey(null, noFolder)).rejects.toThrow(/set SECRETS_KEY/)
  })
})

describe('a sealed text', () => {
  const box = secretBox(Buffer.alloc(32, 1))

  it('opens with its key and subject only, and differs each time', () => {
    const sealed = box.seal('JBSWY3DPEHPK3PXP', 'a')
    expect(box.open(sealed, 'a')).toBe('JBSWY3DPEHPK3PXP')
    expect(box.seal('JBSWY3DPEHPK3PXP', 'a')).not.toBe(sealed)
    expect(box.open(sealed, 'b')).toBeNull()
    expect(secretBox(Buffer.alloc(32, 2)).open(sealed, 'a')).toBeNull()
  })

  it('cannot be opened after any change', () => {
    const sealed = box.seal('JBSWY3DPEHPK3PXP', 'a')
    const changed = Array.from(sealed.slice(3), (sign, at) =>
      box.open(
        `v1.${sealed.slice(3, 3 + at)}${sign === 'A' ? 'B' : 'A'}${sealed.slice(4 + at)}`,
        'a',
      ),
    )
    expect(new Set(changed.slice(0, -1))).toEqual(new Set([null]))
    expect(['', 'v1.', 'v1.AAAA', 'JBSWY3DPEHPK3PXP'].map((one) => box.open(one, 'a'))).toEqual(
      Array.from({ length: 4 }, () => null),
    )
  })
})
