import { expect, it } from 'vitest'
import { fileText } from './text.ts'

it.each([
  ['\uFEFF[1]'],
  ['[1]'],
  [Buffer.from('\uFEFF[1]')],
  [Buffer.from('[1]')],
  [Buffer.from('\uFEFF[1]', 'utf16le')],
  [Buffer.from('\uFEFF[1]', 'utf16le').swap16()],
])('a file is decoded without its byte order mark: %#', (input) => {
  expect(fileText(input)).toBe('[1]')
})
