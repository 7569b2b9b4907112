import { randomUUID } from 'node:crypto'
import { asc, eq, min, sql } from 'drizzle-orm'
import { type z } from 'zod'
import type * as contract from '#contracts/replies.ts'
import { DAY_MS } from '#domain/day.ts'
import { foldHandle } from '#domain/people/name.ts'
import {
  REPLY_WITHIN_DAYS,
  isSigned,
  readReply,
  replySubjectPath,
  type ReplyState,
} from '#domain/reply.ts'
import { influencers } from '#server/database/schema/predictions.ts'
import { replies } from '#server/database/schema/replies.ts'
import { type JudgedPrediction } from '#server/judging/judging.service.ts'
import { writeAudit, type Admin } from '#server/kit/admin.ts'
import { PAGE_SIZE, paged } from '#server/kit/db.ts'
import { failure, invalid } from '#server/kit/failure.ts'
import { type Kit } from '#server/kit/kit.ts'
import { isoIn, isoNow, iso, isoOrNull } from '#server/kit/time.ts'
import { npubsOf } from '#server/people/people.rows.ts'
import { recordChanged } from '#server/record/record-state.ts'
import { type RepliesKit, findSubject, subjectOfAddress, subjectWords } from './replies-kit.ts'
import * as store from './replies.rows.ts'
import { answerBy } from './replies.service.ts'

function replyCounts({ db, clock }: Pick<Kit, 'db' | 'clock'>) {
  return store.countReplies(db, isoIn({ clock }, -REPLY_WITHIN_DAYS * DAY_MS))
}

export async function repliesWaiting(kit: Pick<Kit, 'db' | 'clock'>) {
  const [{ waiting, overdue }, [oldest]] = await Promise.all([
    replyCounts(kit),
    kit.db
      .select({ at: min(replies.receivedAt) })
      .from(replies)
      .where(eq(replies.state, 'waiting')),
  ])
  return { waiting, overdue, answer_by: oldest?.at ? answerBy(oldest.at) : null }
}

export async function replyPage(
  kit: RepliesKit,
  { state, page }: z.output<NonNullable<typeof contract.listReplies.query>>,
): Promise<z.input<typeof contract.listReplies.reply>> {
  const [counts, rows] = await Promise.all([
    replyCounts(kit),
    repliesIn(kit, state)
      .offset((page - 1) * PAGE_SIZE)
      .limit(PAGE_SIZE),
  ])
  const ids = rows.flatMap(({ reply }) => reply.predictionId ?? [])
  const named = await kit.record.byIds([...new Set(ids)])
  return {
    ...paged(counts[state], page),
    counts,
    rows: rows.map((row) => rowOf(kit, row, named)),
  }
}

/** Waiting replies oldest first, others newest first. */
function repliesIn({ db }: RepliesKit, state: ReplyState) {
  const at =
    state === 'waiting'
      ? asc(replies.receivedAt)
      : sql`coalesce(${replies.endedAt}, ${replies.publishedAt}) desc`
  return db
    .select({ reply: replies, name: influencers.name, slug: influencers.slug })
    .from(replies)
    .innerJoin(influencers, eq(influencers.id, replies.influencerId))
    .where(eq(replies.state, state))
    .orderBy(at, asc(replies.id))
    .$dynamic()
}

function rowOf(
  kit: RepliesKit,
  { reply, name, slug }: Awaited<ReturnType<typeof repliesIn>>[number],
  named: readonly JudgedPrediction[],
): contract.QueuedReply {
  const { predictionId, receivedAt, state } = reply
  const due = answerBy(receivedAt)
  return {
    id: reply.id,
    state,
    name,
    path: replySubjectPath(
      predictionId === null ? { kind: 'person', slug } : { kind: 'prediction', id: predictionId },
    ),
    about: subjectWords(named, { predictionId, name }),
    text: reply.text,
    link: reply.link,
    way: reply.way,
    ...evidenceOf(reply),
    received_at: iso(receivedAt),
    answer_by: due,
    is_overdue: state === 'waiting' && Date.parse(due) < kit.clock.now(),
    published_at: isoOrNull(reply.publishedAt),
    ended_at: isoOrNull(reply.endedAt),
    decided_by: reply.decidedBy,
    reason: reply.reason,
    note: reply.note,
  }
}

function evidenceOf({ evidence, influencerId }: store.StoredReply) {
  switch (evidence?.way) {
    case 'nostr': {
      return {
        evidence: [
          `The signature is right: text, link, page and challenge are signed with ${evidence.npub}.`,
          'An administrator has confirmed that this key is theirs.',
        ],
        evidence_url: `/admin/experts?open=${String(influencerId)}`,
        is_proven: true,
      }
    }
    case 'post':
      return {
        evidence: postSentences(evidence),
        evidence_url: evidence.url,
        is_proven: evidence.isMatch,
      }
    case 'email':
      return {
        evidence: [`Entered by ${evidence.by}: ${evidence.note}`],
        evidence_url: null,
        is_proven: false,
      }
    case undefined:
      return { evidence: [], evidence_url: null, is_proven: false }
  }
}

function postSentences({
  code,
  handles,
  read,
  unread,
  isMatch,
}: Extract<NonNullable<store.StoredReply['evidence']>, { way: 'post' }>): string[] {
  const onRecord =
    handles.length === 0 ? 'No account is on record.' : `On record: ${handles.join(', ')}.`
  if (!read) {
    return [`The post could not be read. ${unread ?? ''}`, `It should have ${code}. ${onRecord}`]
  }
  return [
    isMatch
      ? `The post is by ${read.handle ?? ''} and has the code ${code}.`
      : `Please compare: the post is by ${read.handle ?? 'an unknown account'} and should have the code ${code}.`,
    onRecord,
    ...(isSigned(read.text, code)
      ? []
      : [
          'The sentence that says what the code signs is missing: was its author tricked into posting it?',
        ]),
    ...(isMatch ? ['The account is on record as theirs.'] : []),
    `What the post says: ${read.text}`,
  ]
}

const ACCOUNT_GONE =
  'The account that posted the code is no longer confirmed to be theirs. Please confirm it on their page, or decline the reply.'
const KEY_GONE =
  'The key that signed this is no longer on record for them. Please confirm it on their page, or decline the reply.'

/** @returns a message @throws AppError `conflict` if it was decided meanwhile */
export async function publish(
  kit: RepliesKit,
  admin: Admin,
  id: string,
  { note }: z.output<NonNullable<typeof contract.publishReply.body>>,
): Promise<string> {
  const found = await existing(kit, id)
  const isByHand = found.evidence?.way === 'post' && !found.evidence.isMatch
  if (isByHand && note === '') {
    throw invalid({ note: 'Please say how you verified who wrote this post.' })
  }
  if (found.evidence?.way === 'nostr') {
    const npubs = await npubsOf(kit.db, found.influencerId)
    if (!npubs.includes(found.evidence.npub)) throw failure('conflict', KEY_GONE)
  }
  if (found.evidence?.way === 'post' && found.evidence.isMatch) {
    const handles = await store.handlesOnRecord(kit.db, found.influencerId)
    const postedBy = foldHandle(found.evidence.read?.handle ?? '')
    if (!handles.some((one) => foldHandle(one) === postedBy)) {
      throw failure('conflict', ACCOUNT_GONE)
    }
  }
  await decide(kit, admin, found, {
    from: ['waiting'],
    set: { state: 'published', publishedAt: isoNow(kit), note: note === '' ? null : note },
    reason: note === '' ? null : note,
  })
  return 'Published: the page shows it.'
}

/** Like `publish`; takes a published reply down. */
export async function decline(
  kit: RepliesKit,
  admin: Admin,
  id: string,
  { reason }: z.output<NonNullable<typeof contract.declineReply.body>>,
): Promise<string> {
  const found = await existing(kit, id)
  await decide(kit, admin, found, {
    // Don't take down a reply that a colleague has just published.
    from: [found.state === 'published' ? 'published' : 'waiting'],
    set: { state: 'declined', endedAt: isoNow(kit), reason },
    reason,
  })
  return found.state === 'published'
    ? 'Taken down: the page says so, and why.'
    : 'Declined: its author can read why.'
}

async function decide(
  kit: RepliesKit,
  admin: Admin,
  found: store.StoredReply,
  change: {
    readonly from: readonly ReplyState[]
    readonly set: Parameters<typeof store.changeReply>[3]
    readonly reason: string | null
  },
): Promise<void> {
  await kit.db.transaction(async (tx) => {
    const set = { ...change.set, decidedBy: admin.username }
    if (!(await store.changeReply(tx, found.id, change.from, set))) {
      throw failure(
        'conflict',
        'This reply was decided or withdrawn meanwhile. Please load the list again.',
      )
    }
    const { state } = change.set
    await writeAudit(tx, {
      at: isoNow(kit),
      admin,
      action: found.state === 'published' ? 'reply taken down' : `reply ${state}`,
      subject: { kind: 'reply', id: found.id },
      before: { state: found.state },
      after: { state },
      reason: change.reason,
    })
    await recordChanged(tx)
  })
  await kit.record.refresh().catch(() => {})
}

async function existing(kit: RepliesKit, id: string): Promise<store.StoredReply> {
  const found = await store.replyBy(kit.db, 'id', id)
  if (!found) throw failure('not_found', 'There is no such reply.')
  return found
}

export async function enter(
  kit: RepliesKit,
  admin: Admin,
  entry: z.output<NonNullable<typeof contract.enterReply.body>>,
): Promise<z.input<typeof contract.enterReply.reply>> {
  const named = subjectOfAddress(entry.page.trim())
  if (!named) {
    throw invalid({ page: 'Please give the address of a prediction or a person on this site.' })
  }
  const subject = await findSubject(kit, named)
  const reply = readReply(entry)
  if (!reply.ok) throw invalid(reply.faults)
  const id = randomUUID()
  const token = kit.tokens.reply(id)
  const at = isoNow(kit)
  await kit.db.transaction(async (tx) => {
    await store.addReply(tx, {
      id,
      influencerId: subject.influencerId,
      predictionId: subject.predictionId,
      text: reply.text,
      link: reply.link,
      way: 'email',
      evidence: { way: 'email', note: entry.note, by: admin.username },
      proof: null,
      tokenHash: kit.tokens.hash(token),
      receivedAt: at,
    })
    await writeAudit(tx, {
      at,
      admin,
      action: 'reply entered',
      subject: { kind: 'reply', id },
      after: { state: 'waiting', page: subject.path },
      reason: entry.note,
    })
  })
  return {
    success: true,
    message: 'Entered. It is waiting with the others; send its author the link below.',
    own: `${kit.config.origin}${subject.path}#reply=${token}`,
  }
}
