// First, before any schema is made.
import './without-eval.ts'
import { onePrediction } from '#contracts/predictions.ts'
import { type ShownReply } from '#contracts/shown-reply.ts'
import { call } from './call.ts'

/** What the person has answered to a prediction, oldest first. */
export async function fetchShownReplies(id: string, signal: AbortSignal): Promise<ShownReply[]> {
  return (await call(onePrediction, { params: { id }, signal })).replies
}
