import { type QueueEvent } from '#contracts/posts.ts'
import { type Kit } from '#server/kit/kit.ts'
import { type PublicRecord } from '#server/record/record.service.ts'
import { type PostAssistant } from './assistant/ports.ts'
import { type PostReader } from './read-post.service.ts'

export type ExtractionKit = Pick<Kit, 'db' | 'clock' | 'log'> & {
  readonly record: Pick<PublicRecord, 'list' | 'prices'>
  readonly reader: PostReader
  /** The model that reads beside the parser; null for none. */
  readonly assistant: PostAssistant | null
}

/**
 * @param onChange gets the state of the queue at once and whenever it changes; must not throw
 * @returns ends it
 */
export type FollowQueue = (onChange: (state: QueueEvent) => void) => Promise<() => void>

export type PostsKit = ExtractionKit & {
  readonly follow: FollowQueue
  /** Called when links are to be read; with a number, that one goes before all others. */
  readonly onWork: (first: number | null) => Promise<void>
  /** How long `process` waits for the result. */
  readonly answerWithinMs: number
}
