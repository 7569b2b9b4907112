import { type TweetExtraction } from '#contracts/extraction.ts'
import { type AssetKey } from '#domain/asset.ts'
import { day, type Day } from '#domain/day.ts'
import { type Claim } from '#domain/claim/claim.ts'
import { isDuplicate } from '#domain/claim/duplicate.ts'
import { readPostUrl } from '#domain/posts/post-url.ts'
import { type Db } from '#server/kit/db.ts'
import { knownInfluencer, submissionsOfPost } from './extractions.store.ts'
import { type Catalog, type CatalogPrediction } from '#server/predictions/catalog.service.ts'

const MOST = 5

/** What a post says, as far as it can be compared. */
type Said = {
  readonly expertName: string
  readonly handle: string | null
  readonly asset: AssetKey
  readonly claim: Claim
  readonly by: Day | null
}

/** Finds what the site knows already of an expert, of what he said, and of the post. */
export function extractionMatches({ db, catalog }: { db: Db; catalog: Pick<Catalog, 'snapshot'> }) {
  function duplicatesOf(said: Said | null, postId: string | null): TweetExtraction['duplicates'] {
    const all = catalog.snapshot()?.byId.values() ?? []
    const found: TweetExtraction['duplicates'] = []
    for (const one of all) {
      const isSamePost = postId !== null && readPostUrl(one.row.source_url ?? '')?.id === postId
      if (!isSamePost && !saysTheSame(said, one)) continue
      found.push({
        id: one.row.id,
        expert_name: one.row.influencer.name,
        price_prediction: one.row.price_prediction,
        target_time: one.row.target_time,
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
      said: Said | null
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

function saysTheSame(said: Said | null, { row, statement }: CatalogPrediction): boolean {
  if (said === null || said.by === null) return false
  return isDuplicate(
    { ...said, by: said.by },
    {
      expertName: row.influencer.name,
      handle: row.influencer.x_handle,
      asset: statement.asset,
      claim: statement.claim,
      by: day(row.target_time),
    },
  )
}
