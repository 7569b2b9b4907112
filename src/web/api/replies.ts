import {
  ownReply,
  prepareReply,
  prepareWithdrawal,
  replyWays,
  sendReply,
  withdrawReply,
  withdrawSigned,
  type OwnReply,
  type PreparedReply,
  type ReplyProof,
  type ReplyWays,
  type UnsignedReply,
  SignedReply,
} from '#contracts/replies.ts'
import { type ReplySubject } from '#domain/reply.ts'
import { type z } from 'zod'
import { call } from './call.ts'

export type SignedReply = z.infer<typeof SignedReply>
type ReplyInput = { readonly subject: ReplySubject; readonly text: string; readonly link: string }

export function fetchWays(subject: ReplySubject, signal: AbortSignal): Promise<ReplyWays> {
  return call(replyWays, { body: { subject }, signal })
}

export function fetchOwn(token: string, signal: AbortSignal): Promise<OwnReply> {
  return call(ownReply, { params: { token }, signal })
}

export function prepare(input: ReplyInput): Promise<PreparedReply> {
  return call(prepareReply, { body: input })
}

/** @returns the secret for the author's link, and what happens next */
export function send(
  input: ReplyInput & { readonly proof: ReplyProof },
): Promise<{ message: string; token: string }> {
  return call(sendReply, { body: input, patienceMs: 30_000 })
}

export async function withdrawOwn(token: string): Promise<void> {
  await call(withdrawReply, { params: { token }, body: {} })
}

export async function withdrawalToSign(id: string): Promise<UnsignedReply> {
  return (await call(prepareWithdrawal, { params: { id } })).unsigned
}

export async function withdrawByKey(id: string, event: SignedReply): Promise<string> {
  return (await call(withdrawSigned, { params: { id }, body: { event } })).message
}

export function readSigned(value: unknown): SignedReply | null {
  return SignedReply.safeParse(value).data ?? null
}
