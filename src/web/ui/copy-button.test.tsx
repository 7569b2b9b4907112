import { fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pass } from '#tests/support/admin-screens.tsx'
import { sees, seesNot } from '#tests/support/on-screen.ts'
import { CopyButton } from './copy-button.tsx'

const DONE = 'Lightning invoice copied to clipboard!'
const execCommand = vi.fn<() => boolean>()

function Invoice() {
  const target = useRef<HTMLElement>(null)
  return (
    <>
      <code ref={target}>lnbc1</code>
      <CopyButton text="lnbc1" label="Copy invoice" done={DONE} element={target} />
    </>
  )
}

beforeEach(() => {
  vi.useFakeTimers()
  execCommand.mockReset()
  Object.assign(document, { execCommand })
})

afterEach(() => {
  Reflect.deleteProperty(document, 'execCommand')
})

const label = () => screen.getByRole('button').textContent

async function press(): Promise<void> {
  render(<Invoice />)
  fireEvent.click(screen.getByRole('button'))
  expect(label()).toBe('Copying...')
  await pass(0)
}

async function expectRevert(): Promise<void> {
  await pass(2_000)
  expect(label()).toBe('Copy invoice')
  seesNot(DONE)
}

describe('copying', () => {
  it('uses the clipboard API and confirms', async () => {
    const writeText = vi.fn<(text: string) => Promise<void>>().mockResolvedValue()
    vi.stubGlobal('navigator', { clipboard: { writeText } })
    await press()
    expect(writeText).toHaveBeenCalledWith('lnbc1')
    expect(label()).toBe('Copied!')
    sees(DONE)
    await expectRevert()
  })

  it('falls back to a temporary field if the browser refuses', async () => {
    vi.stubGlobal('navigator', { clipboard: { writeText: () => Promise.reject(new Error()) } })
    let copied: string | undefined
    execCommand.mockImplementation(() => {
      copied = document.querySelector('textarea')?.value
      return true
    })
    await press()
    expect(copied).toBe('lnbc1')
    expect(document.querySelector('textarea')).toBeNull()
    expect(label()).toBe('Copied!')
  })

  it('falls back to the text on the page if no field can be copied', async () => {
    vi.stubGlobal('navigator', {})
    execCommand.mockReturnValueOnce(false).mockReturnValueOnce(true)
    await press()
    expect(getSelection()?.toString()).toBe('lnbc1')
    expect(label()).toBe('Copied!')
  })

  it('shows a failure and leaves the text selected', async () => {
    vi.stubGlobal('navigator', {})
    execCommand.mockReturnValue(false)
    await press()
    expect(label()).toBe('Copy failed')
    expect(getSelection()?.toString()).toBe('lnbc1')
    await expectRevert()
  })
})
