import { useEffect, useEffectEvent } from 'react'
import { AiMetadata } from '#contracts/posts.ts'
import { oneSubmission } from '#contracts/review.ts'
import { type AssetKey } from '#domain/asset.ts'
import { PANEL_LIMIT, postWeight, SHORT_POST } from '#domain/publishing/post-length.ts'
import { textFields } from '#domain/publishing/social-post.ts'
import { useCall } from '#web/admin/kit/use-list.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { sentenceOf } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel, Row, Stack, Tiles, Text } from '#web/ui/primitives.tsx'
import { PostForm } from './composer.tsx'
import { DeskContext, useDesk, useNewDesk } from './desk.ts'
import { FromData, writeAbout } from './from-data.tsx'
import { NeedsDecision, PostLists } from './post-lists.tsx'
import css from './social.module.css'
import { ToPost } from './suggestions.tsx'

/**
 * The composer, beside it what needs a decision and what could be posted, and all posts below.
 *
 * @param props `owner` is the administrator's name; give it as the key, too. What is handed over is approved by posting it
 */
export function Publisher({
  owner,
  asset,
  limit = PANEL_LIMIT,
  submissionId = null,
  predictionId = null,
}: {
  readonly owner: string
  readonly asset: AssetKey
  /** Of the text for X, weighted; the two screens with a composer have different ones. */
  readonly limit?: number
  readonly submissionId?: string | null
  readonly predictionId?: string | null
}) {
  const desk = useNewDesk(limit, { owner, submissionId, predictionId })
  const { composer, showComposer } = desk
  const { pictures } = composer
  const begin = useEffectEvent(async () => {
    if (!composer.isHandedOver) return
    showComposer()
    if (submissionId !== null) {
      const params = { id: submissionId }
      const { submission } = await adminCall(oneSubmission, { params })
      const [first] = proposalsOf(submission.ai_metadata)
      if (first) composer.fill(textFields(() => first.text))
    } else if (predictionId !== null) await writeAbout(composer, predictionId)
  })
  useEffect(() => {
    // Load errors are shown in place; the text can be written by hand.
    begin().catch(() => undefined)
  }, [])
  return (
    <DeskContext value={desk}>
      <Stack
        gap={6}
        size="small"
        onDragOver={(event) => {
          if (event.dataTransfer.types.includes('Files')) event.preventDefault()
        }}
        onDrop={(event) => {
          if (event.dataTransfer.files.length === 0) return
          event.preventDefault()
          pictures.add([...event.dataTransfer.files])
        }}
        onPaste={(event) => {
          const files = [...event.clipboardData.files]
          if (files.length === 0) return
          event.preventDefault()
          pictures.add(files)
        }}
      >
        <div className={css.desk}>
          <Stack as="section" gap={4} className={css.composer} aria-label="Composer">
            <HandedOver />
            <FromData asset={asset} />
            <PostForm />
          </Stack>
          <Stack gap={6}>
            <NeedsDecision />
            <ToPost />
          </Stack>
        </div>
        <PostLists />
      </Stack>
    </DeskContext>
  )
}

/** The submission that the post is about, with texts that were proposed for it. */
function HandedOver() {
  const { composer } = useDesk()
  const { submission_id: submissionId } = composer.composition
  const params = { id: submissionId ?? '' }
  const { data, error } = useCall(oneSubmission, { params }, { enabled: submissionId !== null })
  if (submissionId === null) return null
  const submission = data?.submission
  return (
    <Panel as="section" className={css.hand} aria-label="Submission">
      <Row gap={4} justify="between">
        <p>
          {submission ? (
            <>
              From the submission of <strong>{submission.expert_name}</strong>:{' '}
              {submission.price_prediction} ({submission.status}).{' '}
              {submission.status === 'pending'
                ? 'Once the post is out, it is approved.'
                : 'Its status stays as it is.'}
            </>
          ) : error ? (
            `The submission could not be loaded. ${sentenceOf(error)}`
          ) : (
            'Loading the submission…'
          )}
        </p>
        <Button onClick={() => composer.change({ submission_id: null })}>Post without it</Button>
      </Row>
      <Tiles as="ul" least="20rem" aria-label="Proposed texts">
        {proposalsOf(submission?.ai_metadata ?? null).map(({ style, text }) => (
          <Panel as="li" gap={2} align="start" key={style + text}>
            <Text tone="quiet">
              {style} · {postWeight(text)} / {SHORT_POST}
            </Text>
            <p className={css.post}>{text}</p>
            <Button onClick={() => composer.fill(textFields(() => text))}>Use this text</Button>
          </Panel>
        ))}
      </Tiles>
    </Panel>
  )
}

function proposalsOf(metadata: string | null): readonly { style: string; text: string }[] {
  try {
    return AiMetadata.parse(JSON.parse(metadata ?? 'null')).tweet_proposals ?? []
  } catch {
    return []
  }
}
