import { act, render } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import { bearTranslation } from './bear-translation.ts'

const real = Object.getOwnPropertyDescriptors(Node.prototype)
beforeAll(() => {
  bearTranslation()
  return () => {
    const { insertBefore, removeChild, nodeValue } = real
    Object.defineProperties(Node.prototype, { insertBefore, removeChild, nodeValue })
  }
})

/** @param keep moves the original text node into the new element instead of replacing it */
async function translate(root: Node, keep: boolean): Promise<void> {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const all: Text[] = []
  while (texts.nextNode()) all.push(texts.currentNode as Text)
  for (const text of all) {
    const outer = document.createElement('font')
    text.replaceWith(outer)
    const inner = outer.appendChild(document.createElement('font'))
    inner.append(keep ? text : `[${text.data}]`)
  }
  await act(() => Promise.resolve())
}

function Counted({ count, all }: { readonly count: number; readonly all: boolean }) {
  return (
    <p>
      {all ? 'All ' : <b>Some</b>}
      {count} of {count > 1 && 'many '}
      <i>calls</i>
      {count > 1 ? ', shown' : null}
    </p>
  )
}

it.each([true, false])(
  'a translated page keeps working, without outdated texts: %s',
  async (keep) => {
    const { container, rerender, unmount } = render(<Counted count={1} all />)
    for (const [count, all] of [
      [2, true],
      [3, false],
      [1, false],
      [5, true],
    ] as const) {
      await translate(container, keep)
      rerender(<Counted count={count} all={all} />)
      const visible = `${all ? 'All ' : 'Some'}${String(count)} of ${count > 1 ? 'many calls, shown' : 'calls'}`
      expect(container.textContent.replaceAll(/[[\]]/g, '')).toBe(visible)
    }
    await translate(container, keep)
    unmount()
    expect(container.textContent).toBe('')
  },
)
