import { cleanup, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { detailOf, dryRunOf, submission } from '#tests/support/admin-rows.ts'
import {
  adminServer,
  pass,
  refusal,
  show,
  visitsText,
  type Visits,
} from '#tests/support/admin-screens.tsx'
import { type Mode } from './dashboards.tsx'
import { DetailDialog } from './detail-dialog.tsx'

const ROW = submission(1)
const ONE = `GET /api/v1/admin/submissions/${ROW.id}`
const DRY_RUN = `POST /api/v1/admin/submissions/${ROW.id}/dry-run`
const UPDATE = `PUT /api/admin/prediction_submissions/${ROW.id}/update`
const APPROVE = `POST /api/admin/prediction_submissions/${ROW.id}/approve`
const JANE = {
  id: 7,
  name: 'Jane Doe',
  predictions: 3,
  why: 'name' as const,
  is_sure: true,
  sentence: 'Known by this name.',
}
const UNSURE = { ...JANE, is_sure: false }
const BOTH = [UNSURE, { ...JANE, id: 8, name: 'Expert 1' }]
const people = [{ id: 7, name: 'Jane Doe', handle: '@jane', aliases: ['Doctor Doe'] }]

const server = adminServer('/admin', () => {
  server.on(ONE, () => detailOf(ROW))
  server.on(DRY_RUN, () => dryRunOf())
  server.on('GET /api/admin/influencers', () => people)
})

const has =
  (...of: Parameters<typeof detailOf>) =>
  () =>
    server.on(ONE, () => detailOf(...of))
const rests = () => pass(500)
const refused = () => server.on(APPROVE, () => refusal(409, 'conflict', 'No.'))
const APPROVED = ['Approve', rests, 'Approve'] as const

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
const isStale = () =>
  server.on(UPDATE, ({ body }) => {
    const { version } = body as { version: number }
    return version === 2
      ? { success: true, message: 'Saved', submission: { ...THEIRS, notes: 'mine', version: 3 } }
      : refusal(409, 'conflict', 'Second Admin has changed this submission meanwhile (notes).')
  })
const COLLIDING = ['Edit', 'Notes = mine', rests, has(THEIRS, { audit: [AUDIT] }), 'Save', rests]
const FIRST = { decided_by: 'First Admin', decided_at: '2026-11-20T11:00:00.000Z', version: 2 }
const isSecond = () =>
  server.on(APPROVE, () => {
    has({ ...ROW, status: 'approved', ...FIRST })()
    return refusal(409, 'conflict', 'First Admin has approved this submission already.')
  })
const NSEC = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5'
const isNotKept = () => expect(JSON.stringify(Object.entries(sessionStorage))).not.toContain(NSEC)

const VISITS: Visits = {
  'a source that is not a web page': [[has(submission(1, { source_url: 'javascript:alert(1)' }))]],
  'a secret key, which is neither shown nor kept': [
    [],
    'Edit',
    'Notes = typed',
    `Notes = typed ${NSEC}`,
    rests,
    isNotKept,
  ],
  'an edit beside that of another administrator, sent again': [[isStale], ...COLLIDING, 'Save'],
  'an edit beside that of another administrator, given up': [
    [isStale],
    ...COLLIDING,
    'Use their version',
  ],
  'nothing is approved before it is judged': [
    [() => server.on(DRY_RUN, () => new Promise(() => undefined))],
    'Approve',
    rests,
    'Judging...',
  ],
  'a person surely meant': [[has(ROW, { suggestions: [JANE] }), refused], ...APPROVED],
  'a person known by the handle only': [
    [has(ROW, { suggestions: [UNSURE] }), refused],
    ...APPROVED,
  ],
  'a person of the name, while the handle belongs to someone else': [
    [has(ROW, { suggestions: BOTH }), refused],
    ...APPROVED,
  ],
  'a new person with a name on record': [
    [has({ ...ROW, existing_influencer_id: 7 }, { suggestions: [JANE] }), refused],
    'Approve',
    rests,
    'Create a new influencer named Expert 1',
    ...APPROVED.slice(1),
  ],
  'a person on record after all': [
    [has({ ...ROW, new_influencer: true }, { suggestions: [JANE] }), refused],
    'Approve',
    rests,
    'Jane Doe',
    ...APPROVED.slice(1),
  ],
  'an approval after that of another administrator': [[isSecond], ...APPROVED, rests],
}

const dialog = (start: Mode) => (
  <DetailDialog id={ROW.id} start={start} onStep={() => undefined} onClose={() => undefined} />
)

it('a submission has its stored texts', async () => {
  const file = '../../../../tests/texts/submission.txt'
  await expect(await visitsText(server, dialog('view'), VISITS)).toMatchFileSnapshot(file)
})

it('a late grave warning moves the focus to Cancel, unless the user is typing', async () => {
  const link = { code: 'link' as const, message: 'There is a link in the notes.' }
  const open = async (): Promise<() => void> => {
    const late = Promise.withResolvers<object>()
    server.on(DRY_RUN, () => late.promise)
    show(dialog('approve'))
    await rests()
    return () => late.resolve(dryRunOf({ warnings: [link] }))
  }
  const answer = await open()
  expect(document.activeElement?.textContent).toBe('Judging...')
  answer()
  await rests()
  expect(document.activeElement?.textContent).toBe('Cancel')
  cleanup()
  const again = await open()
  screen.getByLabelText(/^Public text/).focus()
  again()
  await rests()
  expect(document.activeElement).toBe(screen.getByLabelText(/^Public text/))
})
