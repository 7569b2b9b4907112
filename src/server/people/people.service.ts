import { and, eq, isNull, sql } from 'drizzle-orm'
import { type z } from 'zod'
import type * as contract from '#contracts/corrections.ts'
import { scaleClaim } from '#domain/claim/claim.ts'
import { isDuplicate } from '#domain/claim/duplicate.ts'
import { cleanLine } from '#domain/clean-text.ts'
import { reasonText } from '#domain/correction.ts'
import { splitFactor } from '#domain/judging/bar.ts'
import { likelyPairs } from '#domain/people/name-likeness.ts'
import { bareHandle } from '#domain/people/name.ts'
import { readNpub } from '#domain/publishing/nostr.ts'
import { influencerSlugs, predictions, type NameKind } from '#server/database/schema/predictions.ts'
import { addEvents } from '#server/judging/verdicts.rows.ts'
import { type Admin, writeAudit, type AuditState } from '#server/kit/admin.ts'
import { acquireLock, type Db, paged } from '#server/kit/db.ts'
import { failure, invalid } from '#server/kit/failure.ts'
import { type Kit } from '#server/kit/kit.ts'
import { isoNow } from '#server/kit/time.ts'
import { staleEdit } from '#server/operations/audit-log.service.ts'
import { predictionsByIds } from '#server/predictions/predictions.rows.ts'
import { loadActions } from '#server/prices/price-sources.rows.ts'
import { messagesOf, recordChanged } from '#server/record/record-state.ts'
import * as store from './people-admin.store.ts'
import { foldOf, freeSlug } from './people.rows.ts'

type Edit = z.output<NonNullable<typeof contract.editExpert.body>>
type Merge = z.output<NonNullable<typeof contract.mergeExpert.body>>

const KIND = 'expert'
const MOST_PAIRS = 100

export type PeopleKit = Pick<Kit, 'db' | 'clock'>

async function findPerson(on: Db, id: number): Promise<store.ExpertDetail> {
  const found = (await store.expertsById(on, [id])).get(id)
  if (!found) throw failure('not_found', 'There is no such person or firm.')
  return found
}

/** Reads a person whose edit started from `version`, under the writers' lock. */
async function lockedPerson(tx: Db, id: number, version: number): Promise<store.ExpertDetail> {
  const found = await findPerson(tx, id)
  if (found.merged_into !== null) {
    const into = await findPerson(tx, found.merged_into)
    throw failure('conflict', `${found.name} has been merged into ${into.name} meanwhile.`)
  }
  if (found.version !== version) {
    throw await staleEdit(tx, { kind: KIND, id: String(id), version })
  }
  return found
}

function notePerson(
  kit: PeopleKit,
  tx: Db,
  admin: Admin,
  action: string,
  change: { id: number; before: AuditState; after: AuditState; reason: string },
): Promise<void> {
  const { id, reason, ...states } = change
  const note = { at: isoNow(kit), admin, action, subject: { kind: KIND, id }, ...states }
  return writeAudit(tx, { ...note, reason: reason || null })
}

export async function peoplePage({ db }: PeopleKit, query: { q: string; page: number }) {
  const { total, rows } = await store.listExperts(db, query)
  return { ...paged(total, query.page), rows }
}

export async function personDetail({ db }: PeopleKit, id: number) {
  const found = await findPerson(db, id)
  return { ...found, named_npubs: await store.npubsNamed(db, found) }
}

export async function duplicates({ db }: PeopleKit) {
  const pairs = likelyPairs(await store.allNames(db)).slice(0, MOST_PAIRS)
  const ids = [...new Set(pairs.flatMap(({ first, second }) => [first, second]))]
  const known = await store.expertsById(db, ids)
  return {
    pairs: pairs.flatMap(({ first, second, why }) => {
      const [a, b] = [known.get(first), known.get(second)]
      return a && b ? [{ first: a, second: b, why }] : []
    }),
  }
}

export function editPerson(kit: PeopleKit, admin: Admin, id: number, edit: Edit) {
  return kit.db.transaction(async (tx) => {
    await acquireLock(tx)
    const { version, reason } = edit
    const found = await lockedPerson(tx, id, version)
    const name = edit.name === undefined ? found.name : cleanLine(edit.name)
    // A former main name is kept: links, imports and submissions use it.
    const former = name === found.name ? [] : [found.name]
    const aliases = edit.aliases ?? found.aliases
    const names = foldAll('name', [name, ...aliases, ...former])
    const handles = handlesOf(found, edit)
    const npubs = foldAll('npub', edit.npubs?.map(readKey) ?? found.npubs)
    // A name shared by two people may stay with both.
    const own = new Set(foldAll('name', [found.name, ...found.aliases]).map(({ folded }) => folded))
    const added = names.filter(({ folded }) => !own.has(folded))
    await refuseTaken(tx, id, 'name', added, edit.name === undefined ? 'aliases' : 'name')
    await refuseTaken(tx, id, 'handle', handles, 'handles')
    await refuseTaken(tx, id, 'npub', npubs, 'npubs')
    const isFirm = edit.is_firm ?? found.is_firm
    const firm = isFirm ? null : edit.firm === undefined ? found.firm : cleanLine(edit.firm) || null
    const slug = name === found.name ? found.slug : await slugFor(tx, found, name)
    const before = stateOf(found)
    const after = {
      name,
      slug,
      is_firm: isFirm,
      firm,
      aliases: names.slice(1).map(({ text }) => text),
      handles: handles.map(({ text }) => text),
      unconfirmed_handles: handles.flatMap(({ text, confirmed }) => (confirmed ? [] : [text])),
      npubs: npubs.map(({ text }) => text),
    }
    const fields = (Object.keys(after) as (keyof typeof after)[]).filter(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
    )
    if (fields.length === 0) throw failure('invalid', 'Nothing would change.')
    await store.replaceNames(tx, id, 'name', names)
    await store.replaceNames(tx, id, 'handle', handles)
    await store.replaceNames(tx, id, 'npub', npubs)
    if (slug !== found.slug) {
      const former = { slug: found.slug, influencerId: id, replacedAt: isoNow(kit) }
      // It may be a former address that is in use again.
      await tx.delete(influencerSlugs).where(eq(influencerSlugs.slug, slug))
      await tx.insert(influencerSlugs).values(former)
    }
    await store.changeExpert(tx, id, version, { name, slug, isFirm, firm })
    const only = (state: AuditState, of: number): AuditState => ({
      ...Object.fromEntries(fields.map((field) => [field, state?.[field]])),
      version: of,
    })
    await notePerson(kit, tx, admin, 'expert edited', {
      id,
      before: only(before, version),
      after: only(after, version + 1),
      reason,
    })
    const theirs = await messagesOf(tx, sql`predictions.influencer_id = ${id}`)
    await recordChanged(tx, { predictions: theirs })
    return findPerson(tx, id)
  })
}

export function mergePeople(
  kit: PeopleKit,
  admin: Admin,
  id: number,
  { into, version, reason }: Merge,
): Promise<Omit<z.input<typeof contract.mergeExpert.reply>, 'success' | 'message'>> {
  return kit.db.transaction(async (tx) => {
    await acquireLock(tx)
    if (into === id)
      throw failure('invalid', 'Please choose another person or firm.', {
        into: 'Please choose another one.',
      })
    const from = await lockedPerson(tx, id, version)
    const target = await findPerson(tx, into)
    if (target.merged_into !== null) {
      throw failure('conflict', `${target.name} has been merged into another influencer meanwhile.`)
    }
    const moved = await store.moveAll(tx, id, into)
    await store.changeExpert(tx, id, version, { mergedInto: into })
    await store.changeExpert(tx, into, target.version, {})
    const twice = await duplicatesOf(tx, into, new Set(moved.predictions))
    const text = `Now listed under ${target.name} (previously ${from.name}).${reasonText(reason)}`
    const edited = { kind: 'edited', text } as const
    await addEvents(
      tx,
      moved.predictions.map((predictionId) => ({ predictionId, ...edited })),
    )
    await notePerson(kit, tx, admin, 'expert merged', {
      id,
      before: { ...stateOf(from), predictions: moved.predictions, version },
      after: { merged_into: target.name, merged_into_id: into, version: version + 1 },
      reason,
    })
    await notePerson(kit, tx, admin, 'expert took over', {
      id: into,
      before: { ...stateOf(target), version: target.version },
      after: {
        taken_over: from.name,
        names: moved.names,
        ...(twice.length > 0 ? { said_twice: twice } : {}),
        version: target.version + 1,
      },
      reason,
    })
    await recordChanged(tx)
    return {
      expert: await findPerson(tx, into),
      moved: {
        predictions: moved.predictions.length,
        submissions: moved.submissions,
        names: moved.names.length,
      },
      said_twice: twice,
    }
  })
}

/** After a merge duplicates would count twice: pairs of moved predictions and their duplicates. */
async function duplicatesOf(tx: Db, id: number, moved: ReadonlySet<string>) {
  const actions = await loadActions(tx)
  const isTheirs = and(eq(predictions.influencerId, id), isNull(predictions.withdrawnAt))
  const rows = await tx.select({ id: predictions.id }).from(predictions).where(isTheirs)
  const ids = rows.map((row) => row.id)
  const theirs = [...(await predictionsByIds(tx, ids)).values()].map((one) => {
    const { expert, asset, statedClaim, made, by } = one
    const claim = scaleClaim(statedClaim, 1 / splitFactor(asset, made, actions))
    return { id: one.id, expertName: expert.name, handle: expert.handle, asset, claim, by }
  })
  const before = theirs.filter((one) => !moved.has(one.id))
  return theirs
    .filter((one) => moved.has(one.id))
    .flatMap((one) => {
      const same = before.find((other) => isDuplicate(one, other))
      return same ? [{ kept: same.id, moved: one.id }] : []
    })
}

/** @throws AppError `invalid` naming the person who already has one of these */
async function refuseTaken(
  tx: Db,
  id: number,
  kind: NameKind,
  names: readonly { folded: string; text: string }[],
  field: string,
): Promise<void> {
  const folds = names.map(({ folded }) => folded)
  const other = await store.otherHolder(tx, id, kind, folds)
  if (!other) return
  const text = names.find(({ folded }) => folded === other.folded)?.text ?? ''
  const message = `The name “${text}” already belongs to ${other.name}. If they are the same person, merge the entries.`
  throw invalid({ [field]: message })
}

/** Removes equivalent spellings, keeping the first. */
function foldAll(kind: NameKind, texts: readonly string[]): { folded: string; text: string }[] {
  const all = new Map<string, string>()
  for (const text of texts.map(cleanLine)) {
    const folded = foldOf(kind, text)
    if (folded !== '' && !all.has(folded))
      all.set(folded, kind === 'handle' ? bareHandle(text) : text)
  }
  return [...all].map(([folded, text]) => ({ folded, text }))
}

/** Keeps the address if only case or punctuation changed. */
async function slugFor(tx: Db, found: store.ExpertDetail, name: string): Promise<string> {
  return foldOf('name', name) === foldOf('name', found.name)
    ? found.slug
    : freeSlug(tx, name, found.id)
}

/** A handle typed by an administrator is confirmed; one from a submission must be confirmed explicitly. */
function handlesOf(found: store.ExpertDetail, edit: Edit) {
  const foldedOf = (handles: readonly string[] = []): ReadonlySet<string> =>
    new Set(foldAll('handle', handles).map(({ folded }) => folded))
  const unconfirmed = foldedOf(found.unconfirmed_handles)
  const confirmed = foldedOf(edit.confirm_handles)
  return foldAll('handle', edit.handles ?? found.handles).map((one) => ({
    ...one,
    confirmed: !unconfirmed.has(one.folded) || confirmed.has(one.folded),
  }))
}

function stateOf({ name, slug, is_firm, firm, ...rest }: store.ExpertDetail) {
  const { aliases, handles, unconfirmed_handles, npubs } = rest
  return { name, slug, is_firm, firm, aliases, handles, unconfirmed_handles, npubs }
}

/** @throws AppError `invalid` without quoting the input, which may be a secret key */
function readKey(text: string): string {
  const npub = readNpub(text)
  if (npub !== null) return npub
  const message = 'Please enter public Nostr keys, one per line, each starting with npub1.'
  throw invalid({ npubs: message })
}
