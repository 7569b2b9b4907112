import { act, fireEvent } from '@testing-library/react'
import { linesOf, plain } from './readable.ts'

const CONTROLS = ['button', 'summary', '[role=option]', 'label']

function nameOf(one: Element): string {
  const { labels } = one as HTMLInputElement
  return (one.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? one.textContent).trim()
}

/**
 * Presses `Save`, or types `Reason = Spam`, in the open dialog, if any; `Decide/Reason` is in the part *Decide*.
 *
 * @returns the pressed control
 */
function take(text: string): Element | null {
  const dialogs = document.querySelectorAll('[role=dialog]:not([aria-modal=false])')
  const [, place, name = '', value] = /^(?:([^=]+)\/)?([^=/]+?)(?: = ([^]*))?$/.exec(text) ?? []
  const named = place && document.querySelector(`[aria-label^="${place}"]`)
  const part = named || ([...dialogs].at(-1) ?? document.body)
  const kinds = value === undefined ? CONTROLS : ['input, select, textarea']
  const all = [part, document].flatMap((one) =>
    kinds.flatMap((kind) => [...one.querySelectorAll(kind)]),
  )
  const found =
    all.find((one) => nameOf(one) === name) ?? all.find((one) => nameOf(one).startsWith(name))
  if (!found) throw new Error(`Found no control “${name}” among ${all.map(nameOf).join(', ')}`)
  if (value !== undefined) {
    fireEvent.change(found, { target: { value: value.replaceAll('\\n', '\n') } })
    return null
  }
  act(() => (found as HTMLElement).focus())
  fireEvent.click(found)
  return found
}

function said(): string[] {
  const html = document.body.innerHTML
  return plain(linesOf(html.slice(Math.max(0, html.indexOf('<main')))))
    .replaceAll(/\n.*"Notifications"\]/g, '')
    .split('\n')
}

/**
 * What the page says, or after each step what it sent, where the focus went, and what is gone or new.
 *
 * @param steps a function does something else
 */
export async function stepsText(
  steps: readonly (string | (() => unknown))[],
  page: { readonly settle: () => Promise<void>; readonly sent: () => readonly string[] },
): Promise<string> {
  await page.settle()
  let before = said()
  const texts = steps.length > 0 ? [] : before
  for (const step of steps) {
    const { activeElement: focused } = document
    page.sent()
    const pressed = typeof step === 'string' ? take(step) : await step()
    await page.settle()
    const [now, sent] = [said(), page.sent()]
    // Rows are judged ahead, several with the same text.
    const isFirst = (call: string, i: number) =>
      !call.includes('/dry-run ') || sent.indexOf(call) === i
    const made = sent.filter(isFirst).toSorted()
    const { activeElement: focus } = document
    if (typeof step === 'string') texts.push(`> ${step}`)
    texts.push(...made.map((call) => plain(`→ ${call}`)))
    // Pressing moves the focus to the button, from where it may return.
    const expected = pressed ?? focused
    if (focus && focus !== expected && focus !== document.body)
      texts.push(`@ ${plain(nameOf(focus).slice(0, 60))}`)
    const gone = before.filter((line) => !now.includes(line))
    texts.push(...gone.map((line) => `- ${line.slice(0, 60)}`))
    texts.push(...now.filter((line) => !before.includes(line)))
    before = now
  }
  return texts.join('\n')
}
