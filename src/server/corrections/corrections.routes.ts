import {
  dryRunEdit,
  editPublished,
  freezePublished,
  liftOverride,
  listPublished,
  onePublished,
  overrideVerdict,
  restorePublished,
  thawPublished,
  withdrawPublished,
  type AdminPrediction,
} from '#contracts/corrections.ts'
import {
  editExpert,
  likelyDuplicates,
  listExpertsAdmin,
  mergeExpert,
  oneExpertAdmin,
} from '#contracts/people.ts'
import { serveAdmin } from '#server/http/serve.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { type CorrectionKit, publishedDetail, publishedPage } from './change-published.service.ts'
import { editPrediction, previewEdit, lift, override, changeState } from './edit.service.ts'
import {
  duplicates,
  editPerson,
  mergePeople,
  peoplePage,
  personDetail,
} from '#server/people/people.service.ts'
import { type FastifyInstance } from 'fastify'

const done = (message: string) => ({ success: true as const, message })

export function correctionRoutes(
  app: FastifyInstance,
  kit: CorrectionKit,
  { record }: { record: Pick<PublicRecord, 'refresh'> },
): void {
  /** Says that it is off, or on again, once the lists of this process say so. */
  const onLists = async (prediction: AdminPrediction): Promise<AdminPrediction> => {
    await record.refresh().catch(() => {})
    return prediction
  }

  serveAdmin(app, listPublished, ({ query }) => publishedPage(kit, query))
  serveAdmin(app, onePublished, ({ params }) => publishedDetail(kit, params.id))
  serveAdmin(app, dryRunEdit, ({ params, body }) => previewEdit(kit, params.id, body))
  serveAdmin(app, editPublished, async ({ admin, params, body }) => ({
    ...done('Data saved successfully!'),
    prediction: await editPrediction(kit, admin, params.id, body),
  }))
  serveAdmin(app, withdrawPublished, async ({ admin, params, body }) => ({
    ...done('Withdrawn. Its page says so and why.'),
    prediction: await onLists(await changeState(kit, admin, params.id, body, 'withdrawn')),
  }))
  serveAdmin(app, restorePublished, async ({ admin, params, body }) => ({
    ...done('Restored.'),
    prediction: await onLists(await changeState(kit, admin, params.id, body, 'restored')),
  }))
  serveAdmin(app, freezePublished, async ({ admin, params, body }) => ({
    ...done('Frozen: its verdicts stay as they are.'),
    prediction: await changeState(kit, admin, params.id, body, 'frozen'),
  }))
  serveAdmin(app, thawPublished, async ({ admin, params, body }) => ({
    ...done('Unfrozen: verdicts follow prices again.'),
    prediction: await changeState(kit, admin, params.id, body, 'thawed'),
  }))
  serveAdmin(app, overrideVerdict, async ({ admin, params, body }) => ({
    ...done('The verdict is set by hand; your reason is public.'),
    prediction: await override(kit, admin, params.id, body),
  }))
  serveAdmin(app, liftOverride, async ({ admin, params, body }) => ({
    ...done('The rule decides again.'),
    prediction: await lift(kit, admin, params.id, body),
  }))

  serveAdmin(app, listExpertsAdmin, ({ query }) => peoplePage(kit, query))
  serveAdmin(app, likelyDuplicates, () => duplicates(kit))
  serveAdmin(app, oneExpertAdmin, ({ params }) => personDetail(kit, params.id))
  serveAdmin(app, editExpert, async ({ admin, params, body }) => ({
    ...done('Data saved successfully!'),
    expert: await editPerson(kit, admin, params.id, body),
  }))
  serveAdmin(app, mergeExpert, async ({ admin, params, body }) => {
    const merged = await mergePeople(kit, admin, params.id, body)
    const twice = merged.said_twice.map(({ kept, moved }) => `${moved} and ${kept}`).join(', ')
    const hint =
      twice === '' ? '' : ` These are now duplicates: ${twice}. Withdraw one of each pair.`
    return { ...done(`Merged into ${merged.expert.name}.${hint}`), ...merged }
  })
}
