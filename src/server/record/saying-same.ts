import { isDuplicate, saidIn, type Said } from '#domain/claim/duplicate.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { type PublicRecord } from './record.service.ts'

/** The predictions on record that say the same, newest first. */
export async function sayingSame(
  record: Pick<PublicRecord, 'list'>,
  said: Said,
): Promise<JudgedPrediction[]> {
  const alike = await record.list({ alike: [said] })
  return alike.filter((one) => isDuplicate(said, saidIn(one)))
}
