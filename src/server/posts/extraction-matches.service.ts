import { showClaim } from '#domain/claim/text.ts'
import { type TweetExtraction } from '#contracts/extraction.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { archivedPage } from '#domain/claim/archive.ts'
import { type Said } from '#domain/claim/duplicate.ts'
import { readPostUrl } from '#domain/posts/post-url.ts'
import { knownInfluencer, submissionsOfPost } from './extractions.store.ts'
import { type ExtractionKit } from './posts-kit.ts'
import { sayingSame } from '#server/record/saying-same.ts'

const MOST = 5

/** What a post says, as far as it can be compared. */
type PostSaid = Omit<Said, 'by'> & { readonly by: Day | null }

/** What the site knows already of an expert, of the prediction, and of the post. */
export type Known = {
  readonly influencer: { readonly id: number; readonly name: string } | null
  readonly duplicates: TweetExtraction['duplicates']
  readonly submissions: TweetExtraction['submitted_before']
}

export async function findKnown(
  { db, record }: Pick<ExtractionKit, 'db' | 'record'>,
  {
    name,
    handle,
    said,
    postId,
  }: {
    name: string | null
    handle: string | null
    said: PostSaid | null
    postId: string | null
  },
): Promise<Known> {
  const influencer = await knownInfluencer(db, { name, handle })
  // Also under the name on record: an expert may go by another one on X.
  const known = said && influencer ? { ...said, expertName: influencer.name } : said
  return {
    influencer,
    duplicates: await duplicatesOf(record, known, postId),
    submissions: postId === null ? [] : await submissionsOfPost(db, postId, MOST),
  }
}

async function duplicatesOf(
  record: ExtractionKit['record'],
  said: PostSaid | null,
  postId: string | null,
): Promise<Known['duplicates']> {
  const same = said?.by == null ? [] : await sayingSame(record, { ...said, by: said.by })
  const naming = postId === null ? [] : await record.list({ source: postId })
  const ofPost = naming.filter(({ sources }) => sources.some(({ url }) => postAt(url) === postId))
  const isOfPost = new Set(ofPost.map(({ id }) => id))
  return [...same.filter(({ id }) => !isOfPost.has(id)), ...ofPost]
    .toSorted((a, b) => b.made - a.made || (a.id < b.id ? -1 : 1))
    .slice(0, MOST)
    .map((one) => ({
      id: one.id,
      expert_name: one.expert.name,
      price_prediction: showClaim(one.said),
      target_time: isoDay(one.by),
      same_post: isOfPost.has(one.id),
    }))
}

/** The number of the post at this address, also in an archive; null where it is another page. */
function postAt(url: string): string | null {
  return readPostUrl(archivedPage(url) ?? url)?.id ?? null
}
