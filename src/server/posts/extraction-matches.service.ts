import { showClaim } from '#domain/claim/text.ts'
import { type TweetExtraction } from '#contracts/extraction.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { archivedPage } from '#domain/claim/archive.ts'
import { isDuplicate, saidIn, type Said } from '#domain/claim/duplicate.ts'
import { readPostUrl } from '#domain/posts/post-url.ts'
import { knownInfluencer, submissionsOfPost } from './extractions.store.ts'
import { type ExtractionKit } from './posts-kit.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'

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
  { db, catalog }: Pick<ExtractionKit, 'db' | 'catalog'>,
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
    duplicates: duplicatesOf(catalog, known, postId),
    submissions: postId === null ? [] : await submissionsOfPost(db, postId, MOST),
  }
}

function duplicatesOf(
  catalog: ExtractionKit['catalog'],
  said: PostSaid | null,
  postId: string | null,
): Known['duplicates'] {
  const found: Known['duplicates'] = []
  for (const one of catalog.snapshot()?.byId.values() ?? []) {
    const isSamePost = postId !== null && one.sources.some(({ url }) => postAt(url) === postId)
    if (!isSamePost && !saysTheSame(said, one)) continue
    found.push({
      id: one.id,
      expert_name: one.expert.name,
      price_prediction: showClaim(one.said),
      target_time: isoDay(one.by),
      same_post: isSamePost,
    })
    if (found.length === MOST) break
  }
  return found
}

/** The number of the post at this address, also in an archive; null where it is another page. */
function postAt(url: string): string | null {
  return readPostUrl(archivedPage(url) ?? url)?.id ?? null
}

function saysTheSame(said: PostSaid | null, one: JudgedPrediction): boolean {
  return said !== null && said.by !== null && isDuplicate({ ...said, by: said.by }, saidIn(one))
}
