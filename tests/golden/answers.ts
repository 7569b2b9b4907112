import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { type Answer, type GoldenSite } from './site.ts'

const COMPARED_HEADERS = [
  'content-type',
  'cache-control',
  'location',
  'link',
  'access-control-allow-origin',
]

/**
 * Requests each address and stores each response as text in a file of its own, whose first line is the address.
 *
 * @param folder is created
 * @returns the total number of characters
 */
export async function keepAnswers(
  site: GoldenSite,
  folder: string,
  addresses: readonly string[],
): Promise<number> {
  mkdirSync(folder, { recursive: true })
  let size = 0
  for (const address of addresses) {
    const text = await textOf(address, await patientAnswer(site, address))
    writeFileSync(join(folder, nameOf(address)), text)
    size += text.length
  }
  return size
}

/** A busy machine may take too long to draw a picture. */
async function patientAnswer(site: GoldenSite, address: string): Promise<Answer> {
  let answer = await site.ask(address)
  for (let n = 0; answer.status === 503 && n < 3; n += 1) {
    await pause(1_000)
    answer = await site.ask(address)
  }
  return answer
}

/** Readable, and unique for each address: some disks ignore case. */
function nameOf(address: string): string {
  const plain = decodeURIComponent(address.slice(1).replaceAll(/%(?![\dA-F]{2})/gi, '%25'))
  const hash = createHash('sha256').update(address).digest('hex').slice(0, 8)
  return `${plain.replaceAll(/[^\w.=&,-]+/g, '_').slice(0, 120)}.${hash}.txt`
}

async function textOf(address: string, { status, headers, bytes, text }: Answer): Promise<string> {
  const type = headers.get('content-type') ?? ''
  const head = COMPARED_HEADERS.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [`${name}: ${value}`]
  })
  const body = await bodyOf(type, bytes, text)
  // These are hashes of signed events.
  const isOmitted = /\/proofs\b|\/openapi/.test(address)
    ? body.replaceAll(/("(?:root|sha256|hex)": ")[0-9a-f]{64,66}"/g, '$1<of signatures>"')
    : body
  return `${address}\n${String(status)}\n${plain(head.join('\n'))}\n\n${isOmitted}\n`
}

async function bodyOf(type: string, bytes: Buffer, text: string): Promise<string> {
  if (type.startsWith('image/png')) {
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
    return `${String(info.width)} × ${String(info.height)} pixels, sha256 ${sha256(data)}`
  }
  if (/json/.test(type)) return plain(JSON.stringify(JSON.parse(text), null, 1))
  if (/html|xml/.test(type)) return inLines(plain(text))
  if (type.startsWith('text/')) return plain(text)
  return `${String(bytes.length)} bytes, sha256 ${sha256(bytes)}`
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** A line for each tag, so that differences are short. */
function inLines(text: string): string {
  return text.replaceAll(/>\s*</g, '>\n<')
}

/** Removes meaningless differences between builds or runs. */
function plain(text: string): string {
  return (
    text
      // The chunks in which the page is loaded.
      .replaceAll(/^ *<link rel="(?:modulepreload|stylesheet)"[^>]*>\n?/gm, '')
      .replaceAll(/\/assets\/([\w.-]+?)-[\w-]{8}\.(\w+)/g, '/assets/$1.$2')
      // A class name is a hash of its whole style sheet.
      .replaceAll(/(?<=[" ])(_[\w-]+?)_[\w-]{5}_\d+(?=[" ])/g, '$1')
      .replaceAll(/\b[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}\b/g, '<random id>')
      // Signatures contain a random number.
      .replaceAll(/\b[0-9a-f]{128}\b/g, '<signature>')
      // The version of the record, as an opaque tag.
      .replaceAll(/("version": ?)"[^"]*"/g, '$1"<version>"')
  )
}
