import { z } from 'zod'
import { numberIn } from './address.ts'
import { Done, PageNumber, Reason, Search, Version } from './corrections.ts'
import { defineRoute } from './route.ts'

const Id = numberIn('There is no such person or firm.')

export const AdminExpert = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    is_firm: z.boolean(),
    /** Other names that mean the same person or firm. */
    aliases: z.array(z.string()),
    /** On X; the first one is shown. */
    handles: z.array(z.string()),
    /** Those of them that a submission brought, and that nobody has confirmed: a post by one proves nothing. */
    unconfirmed_handles: z.array(z.string()),
    /** Their keys on Nostr that an administrator has confirmed, as npubs; the first one is shown. */
    npubs: z.array(z.string()),
    /** Earlier addresses of the page; each leads to the present one. */
    old_slugs: z.array(z.string()),
    predictions: z.int(),
    version: z.int(),
  })
  .meta({ id: 'AdminExpert' })
export type AdminExpert = z.infer<typeof AdminExpert>

export const listExpertsAdmin = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/experts',
  access: 'read',
  summary: 'People and firms by name, 50 a page.',
  query: z.object({ q: Search, page: PageNumber }),
  reply: z.object({
    total: z.int(),
    page: z.int(),
    pages: z.int(),
    rows: z.array(AdminExpert),
  }),
})

export const oneExpertAdmin = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/experts/:id',
  access: 'read',
  summary: 'One person or firm; a merged one names the one it was merged into.',
  params: Id,
  reply: AdminExpert.extend({
    merged_into: z.int().nullable(),
    /** Keys that submissions named for them, and that nobody has confirmed; each with a prediction that came of it. */
    named_npubs: z.array(z.object({ npub: z.string(), prediction_id: z.string() })),
  }),
})

export const likelyDuplicates = defineRoute({
  method: 'GET',
  path: '/api/v1/admin/expert-duplicates',
  access: 'read',
  summary: 'Pairs that may be the same: alike in name or handle, the most alike first.',
  reply: z.object({
    pairs: z.array(
      z.object({
        first: AdminExpert,
        second: AdminExpert,
        why: z.string(),
      }),
    ),
  }),
})

const Names = z.array(z.string().trim().min(1).max(120)).max(40)

export const editExpert = defineRoute({
  method: 'PUT',
  path: '/api/v1/admin/experts/:id',
  access: 'publish',
  summary:
    'Names, handles, Nostr keys and kind of a person or firm; what is not named stays. A new name makes a new address, the old one leads to it.',
  params: Id,
  body: z.strictObject({
    version: Version,
    name: z.string().trim().min(1, 'Please enter a name.').max(120).optional(),
    aliases: Names.optional(),
    handles: z.array(z.string().trim().min(1).max(100)).max(20).optional(),
    /** Those that a submission brought, and that are known to be theirs; what is entered here is confirmed by that. */
    confirm_handles: z.array(z.string().trim().min(1).max(100)).max(20).optional(),
    /** Keys on Nostr that are known to be theirs: a reply signed with one counts as theirs. */
    npubs: z.array(z.string().trim().min(1).max(100)).max(5).optional(),
    is_firm: z.boolean().optional(),
    reason: Reason,
  }),
  reply: Done.extend({ expert: AdminExpert }),
})

export const mergeExpert = defineRoute({
  method: 'POST',
  path: '/api/v1/admin/experts/:id/merge',
  access: 'publish',
  summary:
    'Moves all predictions, names, handles and Nostr keys to another; the page of the first one redirects there.',
  params: Id,
  body: z.strictObject({ version: Version, into: z.int().positive(), reason: Reason }),
  reply: Done.extend({
    expert: AdminExpert,
    moved: z.object({ predictions: z.int(), submissions: z.int(), names: z.int() }),
    /** Pairs of predictions that say the same and now belong to one person: one of each should be withdrawn. */
    said_twice: z.array(z.object({ kept: z.string(), moved: z.string() })),
  }),
})
