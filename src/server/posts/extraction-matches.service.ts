import { showClaim } from '#domain/claim/text.ts'
import { type TweetExtraction } from '#contracts/extraction.ts'
import { isoDay, type Day } from '#domain/day.ts'
import { isDuplicate, saidIn, type Said } from '#domain/claim/duplicate.ts'
import { readPostUrl } from '#domain/posts/post-url.ts'
import { type Db } from '#server/kit/db.ts'
import { knownInfluencer, submissionsOfPost } from './extractions.store.ts'
import { type Catalog } from '#server/predictions/catalog.service.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'

const MOST = 5

/** What a post says, as far as it can be compared. */
type PostSaid = Omit<Said, 'by'> & { readonly by: Day | null }

/** Finds what the site knows already of an expert, of what he said, and of the post. */
export function extractionMatches({ db, catalog }: { db: Db; catalog: Pick<Catalog, 'snapshot'> }) {
  function duplicatesOf(
    said: PostSaid | null,
    postId: string | null,
  ): TweetExtraction['duplicates'] {
    const all = catalog.snapshot()?.byId.values() ?? []
    const found: TweetExtraction['duplicates'] = []
    for (const one of all) {
      const isSamePost = postId !== null && readPostUrl(one.sourceUrl ?? '')?.id === postId
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

  return {
    async find({
      name,
      handle,
      said,
      postId,
    }: {
      name: string | null
      handle: string | null
      said: PostSaid | null
      postId: string | null
    }): Promise<{
      influencer: { id: number; name: string } | null
      duplicates: TweetExtraction['duplicates']
      submissions: TweetExtraction['submitted_before']
    }> {
      const influencer = await knownInfluencer(db, { name, handle })
      // Under the name on record, too: an expert may call himself otherwise on X.
      const known = said && influencer ? { ...said, expertName: influencer.name } : said
      return {
        influencer,
        duplicates: duplicatesOf(known, postId),
        submissions: postId === null ? [] : await submissionsOfPost(db, postId, MOST),
      }
    },
  }
}

function saysTheSame(said: PostSaid | null, one: JudgedPrediction): boolean {
  return said !== null && said.by !== null && isDuplicate({ ...said, by: said.by }, saidIn(one))
}
