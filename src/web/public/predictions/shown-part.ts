import { type Part } from '#domain/listing/part.ts'
import { type Question } from '#domain/listing/question.ts'

/** What is shown of a large record. */
export type ShownPart = Part & {
  /** What it answers. */
  readonly question: Question
  /** It is what was asked for; else that is on its way. */
  readonly isAnswer: boolean
  /** Of the record. */
  readonly version: string
}
