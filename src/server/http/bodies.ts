import { type IncomingMessage } from 'node:http'
import { type Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import multipart from '@fastify/multipart'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { MOST_PICTURES } from '#domain/publishing/post-length.ts'
import { MOST_IMAGE_BYTES, tooLargeFault } from '#domain/publishing/social-post.ts'
import { failure } from '#server/kit/failure.ts'
import { fileText } from '#server/kit/text.ts'

const MOST_SWALLOWED_BYTES = 64_000
const MOST_READ_BYTES = 256 * 1024
/** How much of an oversized body is drained. */
const MOST_DRAINED_BYTES = 8_000_000
const LONGEST_DRAIN_MS = 10_000

/**
 * Accepts bodies that are not read, up to a limit: mail programs unsubscribe by a form (RFC 8058), wallets send hints
 * in any shape, even empty or broken.
 *
 * @param isRead whether the body is read as JSON all the same
 */
export function swallowBodies(
  app: FastifyInstance,
  isRead: (request: FastifyRequest) => boolean = () => false,
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const reads = isRead(request)
    const most = reads ? MOST_READ_BYTES : MOST_SWALLOWED_BYTES
    const chunks: Buffer[] = []
    let size = 0
    // A destroyed request could not be answered.
    const body: AsyncIterable<Buffer> = payload.iterator({ destroyOnReturn: false })
    try {
      for await (const chunk of body) {
        size += chunk.length
        if (size > most) break
        if (reads) chunks.push(chunk)
      }
    } catch {
      // A caller who hangs up would look like a lost database.
      throw failure('invalid', 'The body is incomplete.')
    }
    if (size > most) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
    if (!reads) return null
    try {
      return JSON.parse(fileText(Buffer.concat(chunks)))
    } catch {
      throw failure('invalid', 'The body is not JSON.')
    }
  })
}

/**
 * Drains an unread body, within limits: closing a connection while the client still sends resets it and loses the response.
 */
export async function drain(body: Readable): Promise<void> {
  const reading = async (): Promise<void> => {
    let left = MOST_DRAINED_BYTES
    const chunks: AsyncIterable<Buffer> = body.iterator({ destroyOnReturn: false })
    for await (const chunk of chunks) {
      left -= chunk.length
      if (left < 0) return
    }
  }
  const late = pause(LONGEST_DRAIN_MS, undefined, { ref: false })
  await Promise.race([reading(), late]).catch(() => {})
}

const MOST_FIELDS = 20
const MOST_FIELD_BYTES = 128 * 1024
const MOST_NAME_BYTES = 100

/** Accepts multipart forms in this scope only. */
export async function takeUploads(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    limits: {
      // One more than allowed, so that the refusal has a message.
      files: MOST_PICTURES + 1,
      fileSize: MOST_IMAGE_BYTES + 1,
      fields: MOST_FIELDS,
      fieldSize: MOST_FIELD_BYTES,
      fieldNameSize: MOST_NAME_BYTES,
      parts: MOST_PICTURES + 1 + MOST_FIELDS,
    },
  })
}

/** Reads a multipart form, bounded in number and size. @throws AppError `invalid` if it is invalid, cut off or too large */
export async function readUpload(request: FastifyRequest) {
  if (!request.isMultipart()) {
    throw failure('invalid', 'Please send a form with files (multipart/form-data).')
  }
  /** By name, without `[]`; names may repeat. */
  const fields = new Map<string, string[]>()
  const files: { name: string; bytes: Buffer }[] = []
  let fault: string | null = null
  try {
    for await (const part of request.parts()) {
      const name = part.fieldname.replace(/\[\]$/, '')
      if (part.type === 'file') {
        const bytes = await part.toBuffer()
        if (bytes.length > 0 || part.filename !== '') files.push({ name, bytes })
      } else if (typeof part.value !== 'string' || part.valueTruncated === true) {
        fault ??= `The field ${name} is too long.`
      } else fields.set(name, [...(fields.get(name) ?? []), part.value])
    }
  } catch (error) {
    throw failure('invalid', sentenceOf(error))
  }
  if (files.length > MOST_PICTURES) fault ??= TOO_MANY
  if (fault !== null) throw failure('invalid', fault)
  return { fields, files }
}

const TOO_MANY = `Up to ${String(MOST_PICTURES)} pictures per post. Please leave some out.`

const FAULTS: Readonly<Record<string, string>> = {
  FST_REQ_FILE_TOO_LARGE: tooLargeFault(),
  FST_FILES_LIMIT: TOO_MANY,
  FST_FIELDS_LIMIT: 'The form has too many parts.',
  FST_PARTS_LIMIT: 'The form has too many parts.',
}

function sentenceOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const broken = 'The upload was interrupted or is not a valid form. Please send it again.'
  return FAULTS[code] ?? broken
}
