import { createHash } from 'node:crypto'
import { type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { jsonToLex, lexicons, type AppBskyEmbedImages, type AppBskyFeedPost } from '@atproto/api'
import { base32nopad } from '@scure/base'
import { faultyServer, type Behaviour } from './faulty-server.ts'

type Read = { readonly embed?: AppBskyEmbedImages.Main }

export const PDS_ACCOUNT = { handle: 'site.example.org', password: 'abcd-efgh-2345-6789' }
const PDS_DID = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz'

/**
 * A server of Bluesky's protocol: it accepts only records valid by the protocol's own schemas, and misbehaves on
 * demand.
 */
export async function pds() {
  /** The records by their keys, and every write received. */
  const records = new Map<string, AppBskyFeedPost.Record>()
  const writes: { key: string; isNew: boolean; body: string }[] = []
  const blobs = new Map<string, { bytes: Buffer; type: string }>()
  const logins: string[] = []
  const refreshes: string[] = []
  const behaviour: Record<'login' | 'upload' | 'put' | 'get', Behaviour> = {
    login: 'well',
    upload: 'well',
    put: 'well',
    get: 'well',
  }
  const pause = { answerMs: 0 }
  /** Called before it answers whether a record exists. */
  const before: { get: () => Promise<unknown> } = { get: () => Promise.resolve() }
  const tokens = { access: new Set<string>(), refresh: new Set<string>(), next: 0 }

  const json = (response: ServerResponse, status: number, body: unknown): void => {
    const limits = { 'ratelimit-limit': '5000', 'ratelimit-remaining': '4997' }
    response.writeHead(status, { 'content-type': 'application/json', ...limits })
    response.end(JSON.stringify(body))
  }
  const refuse = (response: ServerResponse, status: number, error: string, message: string): void =>
    json(response, status, { error, message })

  function session(): object {
    tokens.next += 1
    const accessJwt = `access-${String(tokens.next)}`
    const refreshJwt = `refresh-${String(tokens.next)}`
    tokens.access.add(accessJwt)
    tokens.refresh.add(refreshJwt)
    return { did: PDS_DID, handle: PDS_ACCOUNT.handle, active: true, accessJwt, refreshJwt }
  }

  const server = await faultyServer(async ({ url, headers, raw, response }) => {
    const method = url.pathname.replace('/xrpc/', '')
    const token = (headers.authorization ?? '').replace('Bearer ', '')
    if (method === 'com.atproto.server.createSession') {
      const { identifier, password } = JSON.parse(raw.toString()) as Record<string, string>
      logins.push(identifier ?? '')
      if (server.faulty(response, behaviour.login)) return
      const isRight = identifier === PDS_ACCOUNT.handle && password === PDS_ACCOUNT.password
      if (isRight) return json(response, 200, session())
      return refuse(response, 401, 'AuthenticationRequired', 'Invalid identifier or password')
    }
    if (method === 'com.atproto.server.refreshSession') {
      refreshes.push(token)
      if (tokens.refresh.delete(token)) return json(response, 200, session())
      return refuse(response, 400, 'ExpiredToken', 'Token has expired')
    }
    if (!tokens.access.has(token)) {
      return refuse(response, 400, 'ExpiredToken', 'Token has expired')
    }
    if (method === 'com.atproto.server.getSession') {
      const { did, handle: name } = { did: PDS_DID, handle: PDS_ACCOUNT.handle }
      return json(response, 200, { did, handle: name, active: true })
    }
    if (method === 'com.atproto.repo.uploadBlob') {
      if (server.faulty(response, behaviour.upload)) return
      const type = headers['content-type'] ?? ''
      const cid = cidOf(raw)
      blobs.set(cid, { bytes: raw, type })
      const blob = { $type: 'blob', ref: { $link: cid }, mimeType: type, size: raw.length }
      return json(response, 200, { blob })
    }
    if (method === 'com.atproto.repo.getRecord') {
      await before.get()
      if (server.faulty(response, behaviour.get)) return
      const key = url.searchParams.get('rkey') ?? ''
      const value = records.get(key)
      if (!value || url.searchParams.get('repo') !== PDS_DID) {
        return refuse(response, 400, 'RecordNotFound', `Could not locate record: ${key}`)
      }
      return json(response, 200, { uri: uriOf(key), cid: cidOf(key), value })
    }
    if (method === 'com.atproto.repo.putRecord') {
      return putRecord(response, raw.toString())
    }
    return refuse(response, 501, 'MethodNotImplemented', method)
  })

  async function putRecord(response: ServerResponse, body: string): Promise<void> {
    const { repo, collection, rkey, record } = JSON.parse(body) as {
      repo: string
      collection: string
      rkey: string
      record: AppBskyFeedPost.Record
    }
    const fault = faultOf(collection, rkey, record)
    if (repo !== PDS_DID || fault !== null) {
      return refuse(response, 400, 'InvalidRequest', fault ?? 'Could not find repo')
    }
    const store = (): void => {
      writes.push({ key: rkey, isNew: !records.has(rkey), body })
      records.set(rkey, record)
    }
    if (server.faulty(response, behaviour.put, store)) return
    store()
    if (pause.answerMs > 0) await wait(pause.answerMs)
    return json(response, 200, { uri: uriOf(rkey), cid: cidOf(body), validationStatus: 'valid' })
  }

  /** Why a record violates the protocol's schemas; null if it does not. */
  function faultOf(collection: string, key: string, record: unknown): string | null {
    if (!/^[234567abcdefghij][234567a-z]{12}$/.test(key)) return 'Invalid record key'
    try {
      const { embed } = lexicons.assertValidRecord(collection, jsonToLex(record)) as Read
      for (const { image } of embed?.images ?? []) {
        const blob = blobs.get(image.ref.toString())
        if (blob?.bytes.length !== image.size) return 'Could not find blob'
      }
      return null
    } catch (error) {
      return error instanceof Error ? error.message : 'Invalid record'
    }
  }

  return {
    ...server,
    behaviour,
    records,
    writes,
    blobs,
    logins,
    refreshes,
    pause,
    before,
    /** Expires the access tokens, as after two hours; `isRefreshable` false ends the whole session. */
    expire: (isRefreshable = true): void => {
      tokens.access.clear()
      if (!isRefreshable) tokens.refresh.clear()
    },
  }
}

function uriOf(key: string): string {
  return `at://${PDS_DID}/app.bsky.feed.post/${key}`
}

/** A content address of raw bytes (CIDv1, SHA-256, base32). */
function cidOf(content: Buffer | string): string {
  const hash = createHash('sha256').update(content).digest()
  const bytes = Buffer.concat([Buffer.from([0x01, 0x55, 0x12, 0x20]), hash])
  return `b${base32nopad.encode(bytes).toLowerCase()}`
}
