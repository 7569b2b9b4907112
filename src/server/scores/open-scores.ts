import { type Kit } from '#server/kit/kit.ts'
import { type Catalog } from '#server/predictions/catalog.service.ts'
import { scoreThread } from './score-thread.ts'
import { scoresService } from './scores.service.ts'

/** Everybody's scores. Nothing runs before they are asked for. */
export function openScores({ clock }: Kit, { catalog }: { catalog: Catalog }) {
  const thread = scoreThread()
  return {
    service: scoresService({ catalog, clock, thread }),
    stop: thread.close,
  }
}
