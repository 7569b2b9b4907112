import { MOST_IMAGE_BYTES } from '#domain/publishing/social-post.ts'
import { answerCalls } from '#server/kit/worker-answers.ts'
import { hang } from './hang.ts'
import { PNG } from './pictures.ts'

/** Reads pictures like a broken libvips, by the first word of the file. A real picture has 12 × 8 pixels. */
answerCalls((content) => {
  const { file } = content as { file: Uint8Array }
  const word = String.fromCharCode(...file.subarray(0, 8))
  const picture = { bytes: PNG as Uint8Array, type: 'image/png', width: 12, height: 8 }
  if (word.startsWith('hang')) hang()
  if (word.startsWith('crash')) process.kill(process.pid, 'SIGKILL')
  if (word.startsWith('fail')) throw new Error('libvips is not here')
  if (word.startsWith('nonsense')) return { ...picture, type: 'image/bmp' }
  if (word.startsWith('huge')) return { ...picture, bytes: new Uint8Array(MOST_IMAGE_BYTES + 1) }
  return picture
})
