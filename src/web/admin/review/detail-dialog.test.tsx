import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { detailOf, dryRunOf, submission } from '#tests/support/admin-rows.ts'
import { adminServer, pass, refusal, show } from '#tests/support/admin-screens.tsx'
import { press as pressOn, sees, type as change, valueOf } from '#tests/support/on-screen.ts'
import { type Mode } from './dashboards.tsx'
import { DetailDialog } from './detail-dialog.tsx'

const ROW = submission(1)
const ONE = `GET /api/v1/admin/submissions/${ROW.id}`
const DRY_RUN = `POST /api/v1/admin/submissions/${ROW.id}/dry-run`
const UPDATE = `PUT /api/admin/prediction_submissions/${ROW.id}/update`
const APPROVE = `POST /api/admin/prediction_submissions/${ROW.id}/approve`
const onClose = vi.fn<() => void>()

const server = adminServer()

beforeEach(() => {
  onClose.mockReset()
  server.on(ONE, () => detailOf(ROW))
  server.on(DRY_RUN, () => dryRunOf())
  server.on('GET /api/admin/influencers', () => [
    { id: 7, name: 'Jane Doe', handle: '@jane', aliases: ['Doctor Doe'] },
  ])
})

const JANE = {
  id: 7,
  name: 'Jane Doe',
  slug: 'jane-doe',
  x_handle: '@jane',
  predictions: 3,
  why: 'name' as const,
  is_sure: true,
  sentence: 'Known by this name.',
}

async function open(start: Mode = 'view'): Promise<void> {
  show(<DetailDialog id={ROW.id} start={start} onStep={() => undefined} onClose={onClose} />)
  await pass(500)
}

const press = (name: string | RegExp) => pressOn(name, screen, 500)

/** The submit button, not the button of the mode. */
async function pressApprove(): Promise<void> {
  const found = screen.getAllByRole('button', { name: /^Approve/ })
  fireEvent.click(found.find((one) => one.hasAttribute('aria-disabled')) ?? document.body)
  await pass(500)
}

async function type(label: string | RegExp, value: string): Promise<void> {
  change(label, value)
  await pass(400)
}

const bodies = (name: string) => server.madeOf(name).map(({ body }) => body)

it('editing rejects secret keys in every field, with an explanation', async () => {
  const nsec = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5'
  await open('edit')
  await type(/^Notes/, 'typed')
  await type(/^Notes/, `typed ${nsec}`)
  expect(valueOf(/^Notes/)).toBe('typed')
  sees(/^This is a secret key/)
  expect(JSON.stringify([server.made, Object.entries(sessionStorage)])).not.toContain(nsec)
})

describe('an edit with conflicting changes by another administrator', () => {
  const THEIRS = { ...ROW, notes: 'theirs', twitter_handle: '@theirs', version: 2 }
  const AUDIT = {
    id: 1,
    at: '2026-11-20T11:59:00.000Z',
    username: 'Second Admin',
    action: 'submission edited',
    before: { notes: '', version: 1 },
    after: { notes: 'theirs', version: 2 },
    reason: null,
  }

  beforeEach(() => {
    server.on(UPDATE, ({ body }) => {
      const { version } = body as { version: number }
      return version === 2
        ? { success: true, message: 'Saved', submission: { ...THEIRS, notes: 'mine', version: 3 } }
        : refusal(409, 'conflict', 'Second Admin has changed this submission meanwhile (notes).')
    })
  })

  async function collide(): Promise<HTMLElement> {
    await open('edit')
    await type(/^Notes/, 'mine')
    server.on(ONE, () => detailOf(THEIRS, { audit: [AUDIT] }))
    await press('Save')
    return screen.getByRole('alert', { name: 'Changed meanwhile' })
  }

  it('shows both versions, and resends mine on top of theirs', async () => {
    const rows = within(await collide()).getAllByRole('row')
    const texts = rows.map((row) => row.textContent)
    expect(texts).toContain('Notes of the submitteremptytheirsmine')
    expect(texts).toContain('Twitter handle@expert@theirsnot changed')
    expect(valueOf(/^Notes/)).toBe('mine')
    await press('Save')
    expect(bodies(UPDATE).at(-1)).toEqual({ notes: 'mine', version: 2 })
    sees('Data saved successfully!')
  })

  it('can adopt the other version', async () => {
    await collide()
    await press('Use their version')
    expect(valueOf(/^Notes/)).toBe('theirs')
    expect(valueOf(/^Twitter handle/)).toBe('@theirs')
    expect(bodies(UPDATE)).toHaveLength(1)
  })
})

describe('approving', () => {
  it('moves the focus to Cancel for a late grave warning, unless the user is typing', async () => {
    const link = { code: 'link' as const, message: 'There is a link in the notes.' }
    let answer: () => void = () => undefined
    const late = () =>
      new Promise((resolve) => {
        answer = () => resolve(dryRunOf({ warnings: [link] }))
      })
    server.on(DRY_RUN, late)
    await open('approve')
    expect(document.activeElement?.textContent).toBe('Judging...')
    answer()
    await pass(500)
    expect(document.activeElement?.textContent).toBe('Cancel')
    cleanup()
    server.on(DRY_RUN, late)
    await open('approve')
    screen.getByLabelText(/^Public text/).focus()
    answer()
    await pass(500)
    expect(document.activeElement).toBe(screen.getByLabelText(/^Public text/))
  })

  it('waits for the dry run before anything can be approved', async () => {
    server.on(DRY_RUN, () => new Promise(() => undefined))
    await open('approve')
    await press('Judging...')
    expect(bodies(APPROVE)).toEqual([])
  })

  const UNSURE = { ...JANE, is_sure: false }
  const BOTH = [UNSURE, { ...JANE, id: 8, name: 'Expert 1' }]
  const OTHER = { influencer_id: '8' }
  const someone = { influencer_id: '7', new_influencer: false }
  it.each([
    ['the person its name or handle surely means', {}, [JANE], null, { influencer_id: '7' }],
    ['nobody, if only the handle is known', {}, [UNSURE], null, { influencer_id: '' }],
    ['the person of the name, if the handle belongs to someone else', {}, BOTH, null, OTHER],
    [
      'a new influencer with a name on record, if chosen',
      { existing_influencer_id: 7 },
      [JANE],
      /^Create a new influencer named Expert 1/,
      { influencer_id: '', new_influencer: true },
    ],
    ['a person on record after all', { new_influencer: true }, [JANE], /^Jane Doe/, someone],
  ])('uses %s', async (_, noted, suggestions, chosen, sent) => {
    server.on(ONE, () => detailOf({ ...ROW, ...noted }, { suggestions }))
    server.on(APPROVE, () => refusal(409, 'conflict', 'No.'))
    await open('approve')
    if (chosen) await press(chosen)
    expect(bodies(DRY_RUN).at(-1)).toMatchObject(sent)
    // The reply has been rendered.
    await pass()
    await pressApprove()
    const dates = {
      start_date: null,
      end_date: null,
      made_precision: 'day',
      target_precision: 'day',
    }
    expect(bodies(APPROVE)).toEqual([{ ...dates, version: 1, ...sent }])
  })

  it('shows the second approver who was first, and the resulting status', async () => {
    server.on(APPROVE, () => {
      server.on(ONE, () =>
        detailOf({
          ...ROW,
          status: 'approved',
          decided_by: 'First Admin',
          decided_at: '2026-11-20T11:00:00.000Z',
          version: 2,
        }),
      )
      return refusal(409, 'conflict', 'First Admin has approved this submission already.')
    })
    await open('approve')
    fireEvent.submit(screen.getByLabelText(/^Start date/).closest('form') ?? document.body)
    await pass(500)
    sees('Error approving submission: First Admin has approved this submission already.')
    expect(screen.queryByRole('button', { name: /^Reject/ })).toBeNull()
    sees(/by First Admin/)
  })
})

it('the dialog does not link a source that is not a web page', async () => {
  server.on(ONE, () => detailOf(submission(1, { source_url: 'javascript:alert(1)' })))
  await open()
  sees('javascript:alert(1)')
  expect(document.querySelector('[href^="javascript:"]')).toBeNull()
})
