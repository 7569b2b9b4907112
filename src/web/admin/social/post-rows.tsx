import { type ReactNode } from 'react'
import { cancelPost, leavePost, type SocialPost } from '#contracts/publishing.ts'
import { anyText, platformText, textFields, textsOfFields } from '#domain/publishing/social-post.ts'
import { adminCall } from '#web/api/admin-call.ts'
import { newKey } from '#web/api/new-key.ts'
import { useToasts } from '#web/ui/toasts.tsx'
import { useChange } from '#web/ui/use-change.ts'
import { Button } from '#web/ui/button.tsx'
import table from '#web/ui/dense-table.module.css'
import { DenseTable } from '#web/ui/dense-table.tsx'
import { useLayout } from '#web/ui/layout.ts'
import { makePost, sendStored, useShowPosts, type Ask } from './calls.ts'
import { costText } from './composition.ts'
import { distanceText, longMoment } from './moments.ts'
import css from './post-rows.module.css'
import { Text } from '#web/ui/text.tsx'
import { type Composer } from './use-composer.ts'

/** What can be done with a post that has not gone out. */
export type RowActs = {
  /** The posts that something is being done with. */
  readonly busy: ReadonlySet<string | number>
  readonly send: (post: SocialPost) => void
  readonly cancel: (post: SocialPost) => void
  /** Opens it in the composer. */
  readonly edit: (post: SocialPost) => void
  /** Leaves a failure as it is. */
  readonly leave: (post: SocialPost) => void
  /** Takes its texts and pictures for a new post. */
  readonly reuse: (post: SocialPost) => void
}

export function useRowActs(composer: Composer): RowActs {
  const toasts = useToasts()
  const showPosts = useShowPosts()
  const change = useChange({
    onFailed({ message }) {
      toasts.failed(message)
      void showPosts()
    },
  })

  function run(
    id: string,
    work: () => Promise<SocialPost>,
    done?: (post: SocialPost) => void,
  ): void {
    void change.run(async () => {
      const post = await work()
      await showPosts(post)
      done?.(post)
    }, id)
  }

  function edit(post: SocialPost): void {
    composer.edit(post)
    window.scrollTo({ top: 0 })
  }

  return {
    busy: change.doing,
    edit,
    reuse: (post) =>
      edit({ ...post, state: 'done', scheduled_at: null, submission_id: null, event_id: null }),
    send: (post) => {
      run(
        post.id,
        () => sendStored(post.id, { seen_at: post.updated_at }),
        (sent) => composer.sentFromList(sent),
      )
    },
    leave: ({ id }) => {
      run(id, async () => (await adminCall(leavePost, { params: { id } })).post)
    },
    cancel: (post) => {
      const isDraft = post.state === 'draft'
      const cancel = async (): Promise<SocialPost> =>
        (await adminCall(cancelPost, { params: { id: post.id } })).post
      run(post.id, cancel, () => {
        // It stays cancelled: undoing makes a new post of the same content.
        toasts.undoable(isDraft ? 'The draft is deleted.' : 'The post is cancelled.', () => {
          const isAhead = Date.parse(post.scheduled_at ?? '') > Date.now()
          const action = isAhead && !isDraft ? 'schedule' : 'draft'
          run(post.id, () => makePost(action, askAgain(post), newKey()))
        })
      })
    },
  }
}

/** A stored post as the server is asked for it. */
export function askAgain(post: SocialPost): Ask {
  return {
    networks: post.networks,
    ...textFields((one) => post[`${one}_text`]),
    pictures: post.pictures.map(({ id, alt }) => ({ id, alt })),
    kind: post.kind,
    submission_id: post.submission_id,
    prediction_id: post.prediction_id,
    event_id: post.event_id,
    scheduled_at: post.scheduled_at,
    zone: post.zone,
  }
}

/** Posts that have not gone out, one a row. */
export function PostTable({
  posts,
  label,
  nowMs,
  acts,
}: {
  readonly posts: readonly SocialPost[]
  readonly label: string
  readonly nowMs: number
  readonly acts: RowActs
}) {
  return (
    <DenseTable
      label={label}
      columns={['Time', 'Text', 'Where', { number: 'Cost' }, 'By', { unseen: 'Actions' }]}
      isStacked={useLayout() !== 'desktop'}
    >
      {posts.map((post) => (
        <tr key={post.id}>
          <td className={table.nowrap}>
            <PostTime post={post} nowMs={nowMs} />
          </td>
          <td className={css.words}>
            <PostWords post={post} />
          </td>
          <td className={table.nowrap}>{platformText(post.networks)}</td>
          <td className={table.number}>
            {post.x_cost_usd === null ? 'free' : costText(post.x_cost_usd)}
          </td>
          <td className={table.nowrap}>{post.automatic ? 'automatic' : post.created_by}</td>
          <td className={table.nowrap}>
            <div className={table.actions}>
              <RowButtons post={post} acts={acts} />
            </div>
          </td>
        </tr>
      ))}
    </DenseTable>
  )
}

/** Edit, send and cancel. */
export function RowButtons({ post, acts }: { readonly post: SocialPost; readonly acts: RowActs }) {
  const isBusy = acts.busy.has(post.id)
  const words = nameOf(post)
  return (
    <>
      <Button
        disabled={isBusy}
        aria-label={`${post.state === 'missed' ? 'Choose a new time' : 'Edit'}: ${words}`}
        onClick={() => acts.edit(post)}
      >
        {post.state === 'missed' ? 'New time' : 'Edit'}
      </Button>
      <Button disabled={isBusy} aria-label={`Send now: ${words}`} onClick={() => acts.send(post)}>
        {isBusy ? 'Posting…' : 'Send now'}
      </Button>
      <Button
        look="quiet"
        disabled={isBusy}
        aria-label={`${post.state === 'draft' ? 'Delete' : 'Cancel'}: ${words}`}
        onClick={() => acts.cancel(post)}
      >
        {post.state === 'draft' ? 'Delete' : 'Cancel'}
      </Button>
    </>
  )
}

function PostTime({ post, nowMs }: { readonly post: SocialPost; readonly nowMs: number }) {
  const planned = post.scheduled_at === null ? null : Date.parse(post.scheduled_at)
  const isDraft = post.state === 'draft'
  const at = isDraft || planned === null ? Date.parse(post.updated_at) : planned
  return (
    <>
      {longMoment(at)}
      <span className={css.below}>
        {isDraft || planned === null ? 'changed ' : ''}
        {distanceText(at, nowMs)}
      </span>
      {isDraft && planned !== null && (
        <span className={css.below}>meant for {longMoment(planned)}</span>
      )}
    </>
  )
}

/** The first two lines of the text, and how many pictures there are. */
export function PostWords({ post }: { readonly post: SocialPost }): ReactNode {
  const { pictures } = post
  return (
    <>
      <Text as="span" clip={2}>
        {shortText(post)}
      </Text>
      {pictures.length > 0 && (
        <span className={css.below}>
          {pictures.length} {pictures.length === 1 ? 'picture' : 'pictures'}
        </span>
      )}
    </>
  )
}

/** A post in a few words, which makes the labels of buttons in rows different. */
function nameOf(post: SocialPost): string {
  const text = shortText(post)
  return text.length <= NAME_LENGTH ? text : `${text.slice(0, NAME_LENGTH)}…`
}

const NAME_LENGTH = 50

/** A post in lists. */
export function shortText(post: SocialPost): string {
  return anyText(textsOfFields(post)) || 'Nothing is written yet'
}
