import { describe, expect, it } from 'vitest'
import { MOST_IMAGE_BYTES } from '#domain/publishing/social-post.ts'
import { JPEG } from '#tests/support/pictures.ts'
import { handTimers } from '#tests/support/waiting.ts'
import { sharpReader } from './pictures.service.ts'

const HANGING = new URL('../../../../tests/support/hanging-picture-worker.ts', import.meta.url)

function reader(options: Parameters<typeof sharpReader>[0] = {}) {
  const time = handTimers()
  return { ...sharpReader({ withinMs: 100, after: time.after, ...options }), time }
}

describe('a process for reading pictures', () => {
  it('refuses empty files and files over 5 MB at once', async () => {
    const { read, close, time } = reader()
    expect(await read(Buffer.alloc(0))).toEqual({ fault: expect.stringContaining('empty') })
    const large = Buffer.concat([JPEG, Buffer.alloc(MOST_IMAGE_BYTES)])
    expect(await read(large)).toEqual({ fault: expect.stringContaining('5 MB') })
    expect(time.open()).toEqual([])
    await close()
  })

  it('throws on failure, and explains timeouts and a full queue', async () => {
    const { read, close, time } = reader({ file: HANGING, mostWaiting: 1 })
    await expect(read(Buffer.from('crash'))).rejects.toThrow(/ended by itself/)
    await expect(read(Buffer.from('huge'))).rejects.toThrow(/cannot be read/)
    const [hung, waits, refused] = ['hang', 'hang', 'hang'].map((text) => read(Buffer.from(text)))
    await expect(refused).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Many pictures'),
      retryAfterS: 5,
    })
    time.runOut(100)
    expect(await hung).toEqual({ fault: expect.stringContaining('takes too long') })
    const [closed] = await Promise.allSettled([waits, close()])
    expect(closed).toMatchObject({
      reason: { message: expect.stringContaining('The server is stopping.') },
    })
  })
})
