import { act, fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { emptyForm, type SubmissionForm } from '#contracts/submissions.ts'
import { day } from '#domain/day.ts'
import { isAlerted, seesNot, type } from '#tests/support/on-screen.ts'
import { jsonPart, storedCases } from '#tests/support/stored-cases.ts'
import { TextField } from '#web/ui/field.tsx'
import { PastePost } from './paste-post.tsx'
import { languageOf, readPasted } from './read-pasted.ts'
import { useSubmissionForm } from './use-submission-form.ts'

const TODAY = day('2026-11-20')
/** Made on 10 March 2026. */
const LINK = 'https://x.com/expert_a/status/2031278883117924352'

it('pasted posts fill the form as stored', () =>
  storedCases('paste-post', {
    'a pasted post': (text, overrides) => {
      const given = { posted: '', asset: 'btc', ...jsonPart<object>(overrides) } as const
      const read = readPasted({ text, today: TODAY, ...given })
      return read.found ? { ...read.fields, cautions: read.cautions } : read.why
    },
    'the language of a post': languageOf,
  }))

describe('the form', () => {
  let form: { values: () => SubmissionForm }

  function show(overrides: Partial<SubmissionForm> = {}): void {
    const stored = { form: { ...emptyForm('btc'), ...overrides }, asked: null }
    localStorage.setItem('submission-draft-btc', JSON.stringify(stored))
    function Form() {
      const api = useSubmissionForm('btc', TODAY)
      form = { values: api.now }
      return (
        <>
          <TextField {...api.field('notes')} label="Notes" />
          <PastePost asset="btc" form={api} today={TODAY} />
        </>
      )
    }
    render(<Form />)
    fireEvent.click(screen.getByRole('button', { name: 'Paste a post' }))
  }

  async function paste(text: string): Promise<void> {
    type('Text of the post', text)
    await act(async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Read the post' }))
      await import('./read-pasted.ts')
    })
  }

  async function fill(text: string): Promise<void> {
    await paste(text)
    await screen.findByText('The form is filled in.')
  }

  it("takes the values, shows their words, and keeps the visitor's input", async () => {
    show({ expert_name: 'Expert A', notes: 'Mine' })
    await fill('Bitcoin will hit $250k by the end of 2027.')
    expect(screen.getByRole('list').textContent).toBe(
      'Target $250,000 from $250kTarget date 31/12/2027 from by the end of 2027',
    )
    expect(form.values()).toMatchObject({
      expert_name: 'Expert A',
      notes: 'Mine',
      price_target: '250,000',
      target_time: '2027-12-31',
    })
    expect(screen.getByLabelText<HTMLInputElement>('Notes').value).toBe('Mine')
  })

  it('replaces the values of a previous post, except edited ones', async () => {
    show()
    await fill(`Bitcoin will hit $250k by the end of 2027. ${LINK}`)
    await fill('Bitcoin will hit $300k.')
    expect(form.values()).toMatchObject({
      price_target: '300,000',
      target_time: '',
      prediction_made: 'today',
      source_url: '',
      twitter_handle: '',
      notes: '"Bitcoin will hit $300k."',
    })
    type('Notes', 'Mine')
    await fill('Bitcoin will hit $350k by the end of 2028.')
    expect(form.values()).toMatchObject({
      price_target: '350,000',
      target_time: '2028-12-31',
      notes: 'Mine',
    })
  })

  it('hides the reading once the text changes', async () => {
    show()
    await fill('Bitcoin will hit $250k by the end of 2027.')
    type('Text of the post', 'gm')
    expect(screen.queryByText('The form is filled in.')).toBeNull()
  })

  it('stays unchanged without a prediction', async () => {
    show()
    const before = form.values()
    await paste('gm')
    expect(await screen.findByText('No testable prediction here.')).toBeDefined()
    expect(form.values()).toEqual(before)
    await paste('')
    isAlerted('Please paste the text of the post.')
    await paste(LINK)
    expect((await screen.findByRole('alert')).textContent).toMatch(/^This is only the link/)
    seesNot('No testable prediction here.')
  })

  it('rejects secret keys', () => {
    show()
    const field = screen.getByLabelText<HTMLTextAreaElement>('Text of the post')
    const value = `nsec1${'q'.repeat(58)}`
    fireEvent.change(field, { target: { value } })
    isAlerted(/secret key/)
    expect(field.value).toBe('')
  })
})
