import { Panel } from '#web/ui/stack.tsx'
import { Text } from '#web/ui/text.tsx'
import { useToDecide } from './calls.ts'
import { Entry } from './history.tsx'
import css from './history.module.css'
import { kindsToDecide } from './outcomes.ts'
import { type RowActs } from './post-rows.tsx'

/** Posts that missed their time, failed, or may be out: nothing happens with them until a person decides. */
export function ToDecide({
  acts,
  profile,
  sentId,
}: {
  readonly acts: RowActs
  readonly profile: string | null
  /** The post that was sent last: its outcome is open below already. */
  readonly sentId: string | null
}) {
  const { data } = useToDecide()
  if (!data || data.count === 0) return null
  const { count, posts } = data
  return (
    <Panel as="section" tone="wait" gap={2} aria-label="To decide">
      <Text as="h2" size="lead">
        {count === 1 ? 'A post needs a decision' : `${String(count)} posts need a decision`}
      </Text>
      <p>
        {kindsToDecide(posts)}. Nothing is sent late or twice by itself.
        {posts.length < count && ` The newest ${String(posts.length)} are shown.`}
      </p>
      <Panel as="ul" gap={0} className={css.list} aria-label="Posts that need a decision">
        {posts.map((post) => (
          <Entry
            key={post.id}
            post={post}
            profile={profile}
            acts={acts}
            isOpen={posts.length === 1 && post.id !== sentId}
          />
        ))}
      </Panel>
    </Panel>
  )
}
