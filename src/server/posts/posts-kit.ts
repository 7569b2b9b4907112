import { type QueueEvent } from '#contracts/posts.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { type PostAssistant } from './assistant/ports.ts'
import { type PostReader } from './read-post.service.ts'

export type ExtractionKit = Pick<Kit, 'db' | 'clock' | 'log'> & {
  readonly record: Pick<PublicRecord, 'list' | 'prices'>
  readonly reader: PostReader
  /** The model used beside the parser. */
  readonly assistant: PostAssistant | null
}

/** @param onChange called at once and on every change of the queue; must not throw @returns unsubscribes */
export type FollowQueue = (onChange: (state: QueueEvent) => void) => Promise<() => void>

export type PostsKit = ExtractionKit & {
  readonly follow: FollowQueue
  /** Called when links are ready to be read; `first` has priority. */
  readonly onWork: (first: number | null) => Promise<void>
  /** How long `process` waits for the result. */
  readonly answerWithinMs: number
}
