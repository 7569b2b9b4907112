import { MISSED_AFTER_MS } from '#domain/publishing/social-post.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type Admin } from '#server/kit/ports.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { type BlueskyAccount } from './bluesky/bluesky-account.service.ts'
import { type NostrPublisher, type PictureReader, type ReadPicture } from './ports.ts'
import { type LimitFunction } from 'p-limit'
import { type XAccount } from './x/x-account.service.ts'

export type SendLimits = {
  /** The longest that one try takes, with its pictures. */
  readonly sendWithinMs: number
  /** Longer than that: a process that dies leaves its work to the others after this. */
  readonly takenForMs: number
  /** A post that has been due for longer is missed instead of sent. */
  readonly missedAfterMs: number
}

export const SEND_LIMITS: SendLimits = {
  sendWithinMs: 120_000,
  takenForMs: 180_000,
  missedAfterMs: MISSED_AFTER_MS,
}

/** Approves the submission that a post was made from; see the review. */
export type ApproveAfterPost = (
  admin: Admin,
  submissionId: string,
  /** `X`, or `X and Nostr`. */
  platform: string,
) => Promise<{ readonly ok: true } | { readonly ok: false; readonly message: string }>

/** Draws the chart of a published prediction. @throws AppError when it is not published or cannot be drawn */
export type DrawChart = (
  predictionId: string,
) => Promise<{ readonly bytes: Uint8Array; readonly alt: string }>

/** What sending posts works with. */
export type SendKit = Pick<Kit, 'db' | 'clock' | 'log'> & {
  /** The networks; null where the settings name no key. */
  readonly x: XAccount | null
  readonly nostr: NostrPublisher | null
  readonly bluesky: BlueskyAccount | null
  readonly shrinkPicture: PictureReader['shrink']
  readonly approve: ApproveAfterPost
  /** One approval at a time: each needs a second connection, and many at once would wait for each other's. */
  readonly approveInTurn: LimitFunction
  readonly limits: SendLimits
  /** When this process began, milliseconds since 1970, where it is the only one; null where others may be sending, too. */
  readonly aloneSinceMs: number | null
}

/** What taking in pictures works with. */
export type PictureKit = Pick<Kit, 'db' | 'clock' | 'log'> & {
  readonly readPicture: ReadPicture
  readonly drawChart: DrawChart
}

/** What administrators' posts and automatic ones work with. */
export type PublishingKit = SendKit &
  PictureKit & {
    readonly origin: string
    readonly record: Pick<PublicRecord, 'find' | 'byIds' | 'today'>
  }
