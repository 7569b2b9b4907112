import { z } from 'zod'
import { numberIn, Done, PageNumber, Reason, Search, Version, paging } from './fields.ts'
import { get, post, put } from './route.ts'

const Id = numberIn('There is no such person or firm.')

export const AdminExpert = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    is_firm: z.boolean(),
    firm: z.string().nullable(),
    aliases: z.array(z.string()),
    handles: z.array(z.string()),
    unconfirmed_handles: z.array(z.string()),
    /** Confirmed Nostr keys as npubs; the first is displayed. */
    npubs: z.array(z.string()),
    old_slugs: z.array(z.string()),
    predictions: z.int(),
    version: z.int(),
  })
  .meta({ id: 'AdminExpert' })
export type AdminExpert = z.infer<typeof AdminExpert>

export const listExpertsAdmin = get('/api/v1/admin/experts', 'read', {
  summary: 'People and firms by name, 50 a page.',
  query: z.object({ q: Search, page: PageNumber }),
  reply: z.object({ ...paging, rows: z.array(AdminExpert) }),
})

export const oneExpertAdmin = get('/api/v1/admin/experts/:id', 'read', {
  summary: 'One person or firm; a merged one names its successor.',
  params: Id,
  reply: AdminExpert.extend({
    merged_into: z.int().nullable(),
    named_npubs: z.array(z.object({ npub: z.string(), prediction_id: z.string() })),
  }),
})

export const likelyDuplicates = get('/api/v1/admin/expert-duplicates', 'read', {
  summary: 'Pairs with similar names or handles that may be the same, the most similar first.',
  reply: z.object({
    pairs: z.array(z.object({ first: AdminExpert, second: AdminExpert, why: z.string() })),
  }),
})

const Names = z.array(z.string().trim().min(1).max(120)).max(40)

export const editExpert = put('/api/v1/admin/experts/:id', 'publish', {
  summary:
    'Changes names, handles, Nostr keys and kind of a person or firm; absent fields stay. A new name gives a new address, to which the old one redirects.',
  params: Id,
  body: z.strictObject({
    version: Version,
    name: z.string().trim().min(1, 'Please enter a name.').max(120).optional(),
    aliases: Names.optional(),
    handles: z.array(z.string().trim().min(1).max(100)).max(20).optional(),
    /** Handles from submissions to confirm; handles entered here are confirmed. */
    confirm_handles: z.array(z.string().trim().min(1).max(100)).max(20).optional(),
    npubs: z.array(z.string().trim().min(1).max(100)).max(5).optional(),
    is_firm: z.boolean().optional(),
    /** Empty for none. */
    firm: z.string().trim().max(120).optional(),
    reason: Reason,
  }),
  reply: Done.extend({ expert: AdminExpert }),
})

export const mergeExpert = post('/api/v1/admin/experts/:id/merge', 'publish', {
  summary:
    'Merges a person or firm into another, with all predictions, names, handles and Nostr keys; the old page redirects.',
  params: Id,
  body: z.strictObject({ version: Version, into: z.int().positive(), reason: Reason }),
  reply: Done.extend({
    expert: AdminExpert,
    moved: z.object({ predictions: z.int(), submissions: z.int(), names: z.int() }),
    said_twice: z.array(z.object({ kept: z.string(), moved: z.string() })),
  }),
})
