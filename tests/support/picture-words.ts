import { PEOPLE_SIZE } from '#chart/view-picture.ts'
import { widthOf } from '#chart/picture-text.ts'
import { expect } from 'vitest'

type Words = { text: string; x: number; y: number; size: number; isEnd: boolean }

/** The words of a picture of people or years, with their positions. */
export function wordsOf(svg: string): Words[] {
  const found = svg.matchAll(/<text x="(\d+)" y="(\d+)" font-size="(\d+)"([^>]*)>([^<]*)</g)
  return [...found].map(([, x, y, size, rest, text]) => ({
    text: text ?? '',
    x: Number(x),
    y: Number(y),
    size: Number(size),
    isEnd: (rest ?? '').includes('end'),
  }))
}

/** Words are readable at a third of the size, and neither leave the picture nor overlap. */
export function expectReadable(svg: string): void {
  const boxes = wordsOf(svg).map(({ text, x, y, size, isEnd }) => {
    const width = widthOf(text, size)
    expect([text, size >= 26]).toEqual([text, true])
    const left = isEnd ? x - width : x
    return { text, left, right: left + width, top: y - size * 0.75, bottom: y + size * 0.1 }
  })
  for (const box of boxes) {
    expect([box.text, box.left >= 50, box.right <= PEOPLE_SIZE.width - 40]).toEqual([
      box.text,
      true,
      true,
    ])
    expect(box.bottom).toBeLessThan(PEOPLE_SIZE.height)
    const meets = boxes.filter(
      (one) =>
        one !== box &&
        one.left < box.right &&
        one.right > box.left &&
        one.top < box.bottom &&
        one.bottom > box.top,
    )
    expect([box.text, meets.map(({ text }) => text)]).toEqual([box.text, []])
  }
}
