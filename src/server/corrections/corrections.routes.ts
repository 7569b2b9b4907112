import { type FastifyInstance } from 'fastify'
import * as calls from '#contracts/corrections.ts'
import {
  decideOnGoalpost,
  goalpostPage,
  type GoalpostKit,
} from '#server/goalposts/goalposts.service.ts'
import { done, serveAdmin } from '#server/http/serve.ts'
import {
  duplicates,
  editPerson,
  mergePeople,
  peoplePage,
  personDetail,
} from '#server/people/people.service.ts'
import { type CorrectionKit, detailOf, publishedPage } from './change-published.service.ts'
import { editPrediction, previewEdit, lift, override, changeState } from './edit.service.ts'

export function correctionRoutes(app: FastifyInstance, kit: CorrectionKit & GoalpostKit): void {
  serveAdmin(app, calls.listPublished, ({ query }) => publishedPage(kit, query))
  serveAdmin(app, calls.onePublished, ({ params }) => detailOf(kit, kit.db, params.id))
  serveAdmin(app, calls.dryRunEdit, ({ params, body }) => previewEdit(kit, params.id, body))
  serveAdmin(app, calls.editPublished, async ({ admin, params, body }) => ({
    ...done('Data saved successfully!'),
    prediction: await editPrediction(kit, admin, params.id, body),
  }))
  for (const [route, kind, message] of [
    [calls.withdrawPublished, 'withdrawn', 'Withdrawn. Its page says so and why.'],
    [calls.restorePublished, 'restored', 'Restored.'],
    [calls.freezePublished, 'frozen', 'Frozen: its verdicts stay as they are.'],
    [calls.thawPublished, 'thawed', 'Unfrozen: verdicts follow prices again.'],
  ] as const) {
    serveAdmin(app, route, async ({ admin, params, body }) => {
      const prediction = await changeState(kit, admin, params.id, body, kind)
      // Waits until this process's lists include the change, so that the response and the lists agree.
      await kit.record.refresh().catch(() => {})
      return { ...done(message), prediction }
    })
  }
  serveAdmin(app, calls.overrideVerdict, async ({ admin, params, body }) => ({
    ...done('The verdict is set by hand; your reason is public.'),
    prediction: await override(kit, admin, params.id, body),
  }))
  serveAdmin(app, calls.liftOverride, async ({ admin, params, body }) => ({
    ...done('The rule decides again.'),
    prediction: await lift(kit, admin, params.id, body),
  }))

  serveAdmin(app, calls.listExpertsAdmin, ({ query }) => peoplePage(kit, query))
  serveAdmin(app, calls.likelyDuplicates, () => duplicates(kit))
  serveAdmin(app, calls.oneExpertAdmin, ({ params }) => personDetail(kit, params.id))
  serveAdmin(app, calls.editExpert, async ({ admin, params, body }) => ({
    ...done('Data saved successfully!'),
    expert: await editPerson(kit, admin, params.id, body),
  }))
  serveAdmin(app, calls.mergeExpert, async ({ admin, params, body }) => {
    const merged = await mergePeople(kit, admin, params.id, body)
    const twice = merged.said_twice
      .map(({ kept: remaining, moved }) => `${moved} and ${remaining}`)
      .join(', ')
    const hint =
      twice === '' ? '' : ` These are now duplicates: ${twice}. Withdraw one of each pair.`
    return { ...done(`Merged into ${merged.expert.name}.${hint}`), ...merged }
  })

  serveAdmin(app, calls.listGoalposts, ({ query }) => goalpostPage(kit, query))
  serveAdmin(app, calls.decideGoalpost, async ({ admin, body }) => {
    const message = await decideOnGoalpost(kit, admin, body)
    await kit.record.refresh().catch(() => {})
    return done(message)
  })
}
