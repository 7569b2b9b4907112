import { type LimitFunction } from 'p-limit'
import { MISSED_AFTER_MS } from '#domain/publishing/social-post.ts'
import { type Admin } from '#server/kit/admin.ts'
import { type Db } from '#server/kit/db.ts'
import { type Kit, type SiteKit } from '#server/kit/kit.ts'
import { type Outbox } from '#server/kit/outbox.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { type SocialAccount } from './account.ts'
import { type NostrPublisher } from './nostr/outbox.service.ts'
import { type PictureReader, type ReadPicture } from './ports.ts'

export type SendLimits = typeof SEND_LIMITS

export const SEND_LIMITS = {
  /** Upper limit of one attempt, including pictures. */
  sendWithinMs: 120_000,
  /** The lease of a sender; longer than a try. */
  takenForMs: 180_000,
  /** Posts overdue for longer are missed, not sent. */
  missedAfterMs: MISSED_AFTER_MS as number,
}

/** Approves the submission that a post is about. @param platform `X`, or `X and Nostr` */
type ApproveAfterPost = (
  admin: Admin,
  submissionId: string,
  platform: string,
) => Promise<{ readonly ok: true } | { readonly ok: false; readonly message: string }>

/** Draws the chart of a published prediction. @throws AppError when it is not published or cannot be drawn */
type DrawChart = (
  predictionId: string,
) => Promise<{ readonly bytes: Uint8Array; readonly alt: string }>

/** For sending posts; a network without keys is null. */
export type SendKit = Pick<Kit, 'db' | 'clock' | 'log'> & {
  readonly x: SocialAccount | null
  readonly bluesky: SocialAccount | null
  readonly nostr: NostrPublisher | null
  readonly shrinkPicture: PictureReader['shrink']
  readonly approve: ApproveAfterPost
  /** Serializes approvals: each needs a second connection, so concurrent ones could exhaust the pool. */
  readonly approvals: LimitFunction
  readonly limits: SendLimits
  readonly outbox: Outbox
  /** Start of this process, Unix time in ms, if it is the only one; null if others may be sending, too. */
  readonly aloneSinceMs: number | null
}

export type PictureKit = Pick<Kit, 'db' | 'clock' | 'log'> & {
  readonly readPicture: ReadPicture
  readonly drawChart: DrawChart
}

export type PublishingKit = SiteKit &
  SendKit &
  PictureKit & {
    readonly record: PublicRecord
    /** Schedules the job for a planned post; null for one without a time. */
    readonly planned: (tx: Db, at: string | null | undefined) => Promise<void>
  }
