import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { crc32, deflateSync, createDeflate } from 'node:zlib'

/** A small real picture of 12 × 8 pixels, saved by Chromium. */
function saved(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, '../data/pictures', name))
}

export const JPEG = saved('small.jpg')
export const PNG = saved('small.png')
export const WEBP = saved('small.webp')
export const LOSSLESS_WEBP = saved('lossless.webp')

/** A GIF of one or more pictures of 2 × 1 pixels, with a comment. */
export function gif(pictures: number, comment = 'secret'): Buffer {
  const parts = [
    Buffer.from('GIF89a'),
    Buffer.from([2, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255]),
    Buffer.from([0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, 0, 0, 0]),
    Buffer.from([0x21, 0xff, 11, ...Buffer.from('XMP DataXMP'), 3, 1, 0, 0, 0]),
    Buffer.from([0x21, 0xfe, comment.length, ...Buffer.from(comment), 0]),
  ]
  for (let n = 0; n < pictures; n += 1) {
    parts.push(
      Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0]),
      Buffer.from([0x2c, 0, 0, 0, 0, 2, 0, 1, 0, 0, 2, 2, 0x44, 0x0a, 0]),
    )
  }
  return Buffer.concat([...parts, Buffer.from([0x3b])])
}

/** A JPEG with a camera's metadata: a place, a thumbnail, the orientation, comments, and bytes after its end. */
export function noisyJpeg(jpeg: Buffer, orientation = 6): Buffer {
  const segment = (marker: number, body: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 0xff]),
      body,
    ])
  const exif = Buffer.concat([
    Buffer.from('Exif\0\0II*\0', 'latin1'),
    Buffer.from([8, 0, 0, 0, 2, 0]),
    Buffer.from([0x0f, 0x01, 2, 0, 4, 0, 0, 0, ...Buffer.from('GPS\0')]),
    Buffer.from([0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]),
    Buffer.from([0, 0, 0, 0]),
    Buffer.from('secret place'),
  ])
  return Buffer.concat([
    jpeg.subarray(0, 2),
    segment(0xe1, exif),
    segment(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0secret')),
    segment(0xed, Buffer.from('Photoshop 3.0\0secret')),
    segment(0xfe, Buffer.from('secret')),
    jpeg.subarray(2),
    Buffer.from('secret behind the end'),
  ])
}

/** Inserts a chunk into a PNG, before its end. */
export function withPngPart(png: Buffer, name: string, body: Buffer): Buffer {
  const part = Buffer.alloc(12 + body.length)
  part.writeUInt32BE(body.length, 0)
  part.write(name, 4, 'latin1')
  body.copy(part, 8)
  part.writeUInt32BE(crc32(part.subarray(4, 8 + body.length)), 8 + body.length)
  const end = png.length - 12
  return Buffer.concat([png.subarray(0, end), part, png.subarray(end)])
}

/** A grey PNG of this size, with valid checksums, around pixels that may be too few or too many. */
export function greyPng(
  width: number,
  height: number,
  pixels: Buffer,
  isInterlaced = false,
): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, isInterlaced ? 1 : 0], 8)
  const bare = Buffer.concat([PNG.subarray(0, 8), PNG.subarray(-12)])
  return withPngPart(withPngPart(bare, 'IHDR', header), 'IDAT', pixels)
}

export function black(bytes: number): Buffer {
  return deflateSync(Buffer.alloc(bytes))
}

/** A stream of repeated bytes, never all in memory. */
export async function muchBlack(bytes: number): Promise<Buffer> {
  const piece = Buffer.alloc(1_000_000)
  const pieces = Array.from({ length: bytes / piece.length }, () => piece)
  return Buffer.concat(await Readable.from(pieces).pipe(createDeflate()).toArray())
}

/** A PNG whose header claims this size; the picture itself is small. */
export function hugePng(width: number, height: number): Buffer {
  const png = Buffer.from(PNG)
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29)
  return png
}
