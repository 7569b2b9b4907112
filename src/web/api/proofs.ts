// First, before any schema is made.
import './without-eval.ts'
import { recordProofs } from '#contracts/proofs.ts'
import { type z } from 'zod'
import { call, CallError } from './call.ts'
import { fetchFresh } from './fetch-fresh.ts'

export type RecordProofs = z.infer<typeof recordProofs.reply>

/** The proofs of all events of a prediction. */
export function fetchProofs(id: string, signal: AbortSignal): Promise<RecordProofs> {
  return call(recordProofs, { params: { id }, signal })
}

/** Addresses of an event and of its proof, as files. */
export function proofFiles(eventId: string): { readonly event: string; readonly proof: string } {
  return { event: `/proofs/events/${eventId}.json`, proof: `/proofs/events/${eventId}.ots` }
}

/** @throws CallError where it cannot be had */
export async function fetchFile(url: string): Promise<Uint8Array> {
  const answer = await fetchFresh(url).catch(() => null)
  if (answer?.ok) return new Uint8Array(await answer.arrayBuffer())
  throw new CallError(`${url} could not be loaded.`, answer?.status ?? 0)
}
