import { act, fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { emptyForm, type SubmissionForm } from '#contracts/submissions.ts'
import { type AssetKey } from '#domain/asset.ts'
import { day } from '#domain/day.ts'
import { isAlerted, seesNot, type } from '#tests/support/on-screen.ts'
import { TextField } from '#web/ui/field.tsx'
import { PastePost } from './paste-post.tsx'
import { languageOf, readPasted } from './read-pasted.ts'
import { useSubmissionForm } from './use-submission-form.ts'

const TODAY = day('2026-11-20')
/** Made on 10 March 2026. */
const LINK = 'https://x.com/expert_a/status/2031278883117924352'

function read(
  text: string,
  overrides: { posted?: string; asset?: AssetKey; language?: string | null } = {},
) {
  return readPasted({ text, posted: '', asset: 'btc', today: TODAY, ...overrides })
}

describe('a pasted post', () => {
  it.each([
    [
      'Bitcoin will hit $250k by the end of 2027.',
      { prediction_type: 'target', price_target: '250,000', target_time: '2027-12-31' },
    ],
    [
      'My $BTC call: between $80k and $120k by 31 March 2027',
      { prediction_type: 'range', price_target: '', price_min: '80,000', price_max: '120,000' },
    ],
    [
      'BTC will be at least $150k by July 2027',
      { prediction_type: 'pricetimerange', price_min: '150,000', price_max: '' },
    ],
    [
      'Bitcoin will close 2027 at $250k.',
      { prediction_type: 'target', price_target: '250,000', timing: 'at_end' },
    ],
  ] as const)('fills the form for %j', (text, fields) => {
    expect(read(text)).toMatchObject({ found: true, fields: { ...fields, notes: `"${text}"` } })
  })

  it('is named by language but not parsed if not English', async () => {
    const text = 'El bitcoin llegará a 150 mil dólares antes de 2027'
    const language = await languageOf(`${LINK} ${text}`)
    expect(read(text, { language })).toEqual({
      found: false,
      why: 'This post is in Spanish; not read without an assistant.',
    })
  })

  it('resolves relative times by the day of its link or the given day only', () => {
    const text = 'Bitcoin will hit $250k within 18 months.'
    const by = (found: ReturnType<typeof read>) => found.found && found.fields.target_time
    expect(by(read(text))).toBeUndefined()
    expect(by(read(text, { posted: '2026-01-10' }))).toBe('2027-07-10')
    const linked = read(`${text}\n${LINK}?s=20`)
    expect(by(linked)).toBe('2027-09-10')
    expect(linked).toMatchObject({
      fields: {
        source_url: 'https://x.com/expert_a/status/2031278883117924352',
        twitter_handle: '@expert_a',
        notes: `"${text}"`,
      },
    })
  })

  it('with a past deadline takes it from the day of posting, and asks for that day', () => {
    const text = 'Bitcoin will hit $250k by the end of 2025.'
    expect(read(text, { posted: '2025-03-10' })).toMatchObject({
      fields: { target_time: '2025-12-31', prediction_made: '2025-03-10' },
      cautions: [],
    })
    const undated = read(text)
    expect(undated).toMatchObject({
      cautions: [
        'Its deadline, 31/12/2025, is over: enter the day it was posted and read it again, so that it is judged from then.',
      ],
    })
    expect(undated.found && undated.fields).not.toHaveProperty('target_time')
    expect(
      read('Bitcoin will hit $250k by 10 March 2025.', { posted: '2025-03-10' }),
    ).toMatchObject({
      cautions: ['Its deadline, 10/03/2025, is not after the day it was posted, 10/03/2025.'],
    })
  })

  it('was made on the day of its link', () => {
    const linked = read(`Bitcoin will hit $250k by the end of 2027. ${LINK}`)
    expect(linked).toMatchObject({ fields: { prediction_made: '2026-03-10' } })
  })

  it('explains a missing target date and what to do', () => {
    const cautions = (found: ReturnType<typeof read>) => found.found && found.cautions
    const none = [expect.stringMatching(/^The post names no deadline\. Please choose/)]
    const unknown = [expect.stringMatching(/enter the day it was posted and read it again/)]
    expect(cautions(read('Bitcoin will hit $250k.'))).toEqual(unknown)
    expect(cautions(read('Bitcoin will hit $250k.', { posted: '2026-03-10' }))).toEqual(none)
    expect(cautions(read('Bitcoin will hit $250k by year end.'))).toEqual(unknown)
    expect(cautions(read(`Bitcoin will hit $250k by year end. ${LINK}`))).toEqual([])
  })

  it('shows further predictions in it', () => {
    expect(
      read('Bitcoin will hit $150k by the end of 2026 and $250k by the end of 2027.'),
    ).toMatchObject({
      fields: { price_target: '250,000' },
      cautions: [
        'The post predicts more: BTC target $150,000 by 31/12/2026. Each needs its own submission.',
      ],
    })
    expect(read('BTC to $150k by EOY 2027. MSTR to $900 by EOY 2027.')).toMatchObject({
      cautions: [expect.stringContaining('MSTR target $900 by 31/12/2027')],
    })
  })

  it('is requested if only a link is given, without invisible characters', () => {
    expect(read(LINK)).toMatchObject({ found: false, why: expect.stringMatching(/only the link/) })
    expect(read('Bitcoin will\0 hit $250k by the end of 2027.\nYes.')).toMatchObject({
      fields: { notes: '"Bitcoin will hit $250k by the end of 2027.\nYes."' },
    })
  })

  it('fills in nothing for another asset or without a prediction', () => {
    const text = 'MSTR will hit $900 by the end of 2027.'
    expect(read(text)).toEqual({
      found: false,
      why: 'The post is about Strategy; this form is for Bitcoin.',
    })
    expect(read(text, { asset: 'mstr' }).found).toBe(true)
    expect(read('We will hit $250k by the end of 2027.', { asset: 'mstr' })).toEqual({
      found: false,
      why: 'No asset could be read.',
    })
    expect(read('Will Bitcoin hit $250k by 2027?')).toMatchObject({ found: false })
  })
})

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
