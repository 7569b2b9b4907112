import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import * as ldk from 'lightningdevkit'

/*
 * Two real Lightning nodes (LDK) in this process, with a channel on a private regtest chain. Loaded on demand,
 * as the nodes take some 60 MB.
 */

const NETWORK = ldk.Network.LDKNetwork_Regtest
const CHANNEL_SATS = 16_000_000
/** LDK takes the time from the newest block. */
const BLOCK_EVERY_MS = 30_000
const REGTEST_GENESIS = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'

let loaded: Promise<void> | null = null

function load(): Promise<void> {
  loaded ??= readFile(
    fileURLToPath(import.meta.resolve('lightningdevkit/liblightningjs.wasm')),
  ).then((binary) => ldk.initializeWasmFromBinary(binary))
  return loaded
}

export type DemoNodes = Awaited<ReturnType<typeof openDemoNodes>>

type Node = ReturnType<typeof makeNode>

/** @param onClaimable called before a payment is claimed and the payer gets the preimage */
export async function openDemoNodes(onClaimable: (paymentHash: string) => void) {
  await load()
  const [payer, payee] = [makeNode(), makeNode()]
  const chain = makeChain([payer, payee])
  const failed = new Set<string>()

  function handle(node: Node, event: ldk.Event): void {
    if (event instanceof ldk.Event_PendingHTLCsForwardable) {
      node.channels.process_pending_htlc_forwards()
    } else if (event instanceof ldk.Event_FundingGenerationReady) {
      const funding = fundingOf(event.output_script, event.channel_value_satoshis)
      const done = node.channels.funding_transaction_generated(
        event.temporary_channel_id,
        event.counterparty_node_id,
        funding,
      )
      expectOk(done, 'the channel could not be funded')
      chain.waiting.push(funding)
    } else if (event instanceof ldk.Event_PaymentClaimable) {
      const proof =
        event.purpose instanceof ldk.PaymentPurpose_Bolt11InvoicePayment
          ? event.purpose.payment_preimage
          : null
      if (!(proof instanceof ldk.Option_ThirtyTwoBytesZ_Some)) return
      onClaimable(Buffer.from(event.payment_hash).toString('hex'))
      node.channels.claim_funds(proof.some)
    } else if (event instanceof ldk.Event_PaymentFailed) {
      failed.add(Buffer.from(event.payment_id).toString('hex'))
    }
  }

  const flush = connect(payer, payee, handle)
  flush()
  expectOk(
    payer.channels.create_channel(payee.id, BigInt(CHANNEL_SATS), 0n, 1n, null, null),
    'the channel could not be opened',
  )
  flush()
  chain.mine(7)
  flush()

  return {
    invoice(msat: number, memo: string, expirySeconds: number, hashed: string | null = null) {
      chain.keepTime()
      flush()
      const made = payee.channels.create_bolt11_invoice(
        ldk.Option_u64Z.constructor_some(BigInt(msat)),
        descriptionOf(memo, hashed),
        ldk.Option_u32Z.constructor_some(expirySeconds),
        ldk.Option_u16Z.constructor_none(),
        ldk.Option_ThirtyTwoBytesZ.constructor_none(),
      )
      return valueOf<ldk.Bolt11Invoice>(made, 'no invoice could be made').to_str()
    },

    pay(bolt11: string): void {
      chain.keepTime()
      const read = ldk.Bolt11Invoice.constructor_from_str(bolt11)
      const invoice = valueOf<ldk.Bolt11Invoice>(read, 'not an invoice')
      const parameters = valueOf<ldk.ThreeTuple_ThirtyTwoBytesRecipientOnionFieldsRouteParametersZ>(
        ldk.UtilMethods.constructor_payment_parameters_from_invoice(invoice),
        'an invoice without an amount',
      )
      const hash = parameters.get_a()
      const id = Buffer.from(hash).toString('hex')
      failed.delete(id)
      const sent = payer.channels.send_payment(
        hash,
        parameters.get_b(),
        hash,
        parameters.get_c(),
        ldk.Retry.constructor_attempts(1),
      )
      // The node refuses to pay an invoice twice, which is no failure for the caller.
      if (sent instanceof ldk.Result_NoneRetryableSendFailureZ_Err) {
        if (sent.err === ldk.RetryableSendFailure.LDKRetryableSendFailure_DuplicatePayment) return
        throw new Error('the node refused to send the payment')
      }
      flush()
      if (failed.has(id)) throw new Error('no route for the payment')
    },

    leftMsat: (): number =>
      Number(
        payer.channels
          .list_usable_channels()
          .reduce((sum, channel) => sum + channel.get_next_outbound_htlc_limit_msat(), 0n),
      ),
  }
}

function makeNode() {
  const events: ldk.Event[] = []
  const done = ldk.ChannelMonitorUpdateStatus.LDKChannelMonitorUpdateStatus_Completed
  const fees = ldk.FeeEstimator.new_impl({ get_est_sat_per_1000_weight: () => 253 })
  const broadcaster = ldk.BroadcasterInterface.new_impl({ broadcast_transactions: () => {} })
  const logger = ldk.Logger.new_impl({ log: () => {} })
  const persister = ldk.Persist.new_impl({
    persist_new_channel: () => done,
    update_persisted_channel: () => done,
    archive_persisted_channel: () => {},
  })
  const chain = ldk.ChainMonitor.constructor_new(
    ldk.Option_FilterZ.constructor_none(),
    broadcaster,
    logger,
    fees,
    persister,
  )
  const seconds = Math.floor(Date.now() / 1_000)
  const seed = crypto.getRandomValues(new Uint8Array(32))
  const keys = ldk.KeysManager.constructor_new(seed, BigInt(seconds), 0)
  const graph = ldk.NetworkGraph.constructor_new(NETWORK, logger)
  const scorer = ldk.MultiThreadedLockableScore.constructor_new(
    ldk.ProbabilisticScorer.constructor_new(
      ldk.ProbabilisticScoringDecayParameters.constructor_default(),
      graph,
      logger,
    ).as_Score(),
  )
  const router = ldk.DefaultRouter.constructor_new(
    graph,
    logger,
    keys.as_EntropySource(),
    scorer.as_LockableScore(),
    ldk.ProbabilisticScoringFeeParameters.constructor_default(),
  )
  const channels = ldk.ChannelManager.constructor_new(
    fees,
    chain.as_Watch(),
    broadcaster,
    router.as_Router(),
    ldk.DefaultMessageRouter.constructor_new(graph, keys.as_EntropySource()).as_MessageRouter(),
    logger,
    keys.as_EntropySource(),
    keys.as_NodeSigner(),
    keys.as_SignerProvider(),
    settings(),
    ldk.ChainParameters.constructor_new(NETWORK, ldk.BestBlock.constructor_from_network(NETWORK)),
    seconds,
  )
  const ignoring = ldk.IgnoringMessageHandler.constructor_new()
  const peers = ldk.PeerManager.constructor_new(
    channels.as_ChannelMessageHandler(),
    ignoring.as_RoutingMessageHandler(),
    ignoring.as_OnionMessageHandler(),
    ignoring.as_CustomMessageHandler(),
    seconds,
    keys.as_EntropySource().get_secure_random_bytes(),
    logger,
    keys.as_NodeSigner(),
  )
  const handler = ldk.EventHandler.new_impl({
    handle_event(event) {
      events.push(event)
      return ldk.Result_NoneReplayEventZ.constructor_ok()
    },
  })
  const pump = (): void => {
    channels.as_EventsProvider().process_pending_events(handler)
    chain.as_EventsProvider().process_pending_events(handler)
  }
  return { id: channels.get_our_node_id(), channels, chain, peers, events, pump }
}

function settings(): ldk.UserConfig {
  const config = ldk.UserConfig.constructor_default()
  const handshake = config.get_channel_handshake_config()
  handshake.set_minimum_depth(1)
  handshake.set_announce_for_forwarding(false)
  // Allows the payer to use all of the channel at once instead of a tenth.
  handshake.set_max_inbound_htlc_value_in_flight_percent_of_channel(100)
  config.set_channel_handshake_config(handshake)
  return config
}

/** Connects both by queues, as LDK must not read while it sends. @returns transfers everything until both are idle */
function connect(a: Node, b: Node, handle: (node: Node, event: ldk.Event) => void): () => void {
  const queue: { to: Node; socket: () => ldk.SocketDescriptor; data: Uint8Array }[] = []
  const end = (to: Node, other: () => ldk.SocketDescriptor, id: bigint): ldk.SocketDescriptor =>
    ldk.SocketDescriptor.new_impl({
      send_data(data) {
        queue.push({ to, socket: other, data: Uint8Array.from(data) })
        return data.length
      },
      disconnect_socket: () => {},
      eq: (other_) => other_.hash() === id,
      hash: () => id,
    })
  const ofA: ldk.SocketDescriptor = end(b, () => ofB, 1n)
  const ofB: ldk.SocketDescriptor = end(a, () => ofA, 2n)
  const nowhere = (): ldk.Option_SocketAddressZ => ldk.Option_SocketAddressZ.constructor_none()
  expectOk(b.peers.new_inbound_connection(ofB, nowhere()), 'the nodes could not be connected')
  const connected = a.peers.new_outbound_connection(b.id, ofA, nowhere())
  const hello = valueOf<Uint8Array>(connected, 'the nodes could not be connected')
  queue.push({ to: b, socket: () => ofB, data: hello })

  return () => {
    let idle = 0
    for (let turn = 0; turn < 500 && idle < 3; turn += 1) {
      for (let next = queue.shift(); next; next = queue.shift()) {
        expectOk(next.to.peers.read_event(next.socket(), next.data), 'the nodes disconnected')
        next.to.peers.process_events()
      }
      let count = 0
      for (const node of [a, b]) {
        node.peers.process_events()
        node.pump()
        const events = node.events.splice(0)
        count += events.length
        for (const event of events) handle(node, event)
        node.peers.process_events()
        node.pump()
        count += node.events.length
      }
      idle = queue.length > 0 || count > 0 ? 0 : idle + 1
    }
    if (idle < 3) throw new Error('the nodes do not become idle')
  }
}

/** A chain of headers without work, which LDK does not check. */
function makeChain(nodes: readonly Node[]) {
  let tip = Buffer.from(REGTEST_GENESIS, 'hex').reverse()
  let height = 0
  let minedMs = 0
  const waiting: Uint8Array[] = []

  function mineOne(): void {
    const transactions = waiting.splice(0)
    const header = Buffer.alloc(80)
    header.writeInt32LE(1, 0)
    tip.copy(header, 4)
    if (transactions[0]) doubleHash(transactions[0]).copy(header, 36)
    minedMs = Date.now()
    header.writeUInt32LE(Math.floor(minedMs / 1_000), 68)
    header.writeUInt32LE(0x207fffff, 72)
    header.writeUInt32LE(height, 76)
    tip = doubleHash(header)
    height += 1
    const indexed = transactions.map((one, i) =>
      ldk.TwoTuple_usizeTransactionZ.constructor_new(i + 1, one),
    )
    for (const { channels, chain } of nodes) {
      for (const confirm of [channels.as_Confirm(), chain.as_Confirm()]) {
        if (indexed.length > 0) confirm.transactions_confirmed(header, indexed, height)
        confirm.best_block_updated(header, height)
      }
    }
  }

  return {
    waiting,
    mine(blocks: number): void {
      for (let i = 0; i < blocks; i += 1) mineOne()
    },
    keepTime(): void {
      if (Date.now() - minedMs > BLOCK_EVERY_MS) mineOne()
    },
  }
}

function descriptionOf(memo: string, hashed: string | null): ldk.Bolt11InvoiceDescription {
  if (hashed !== null) {
    const hash = Uint8Array.from(createHash('sha256').update(hashed).digest())
    return ldk.Bolt11InvoiceDescription.constructor_hash(ldk.Sha256.constructor_from_bytes(hash))
  }
  const read = ldk.Description.constructor_new(memo)
  const text = valueOf<ldk.Description>(read, 'the memo is too long')
  return ldk.Bolt11InvoiceDescription.constructor_direct(text)
}

/** One fictitious input, one output to the channel. */
function fundingOf(script: Uint8Array, sats: bigint): Uint8Array {
  const output = Buffer.alloc(9 + script.length)
  output.writeBigUInt64LE(sats, 0)
  output[8] = script.length
  Buffer.from(script).copy(output, 9)
  const before = Buffer.from([2, 0, 0, 0, 0, 1, 1])
  const input = Buffer.concat([
    Buffer.alloc(32, 7),
    Buffer.from([0, 0, 0, 0, 0, 255, 255, 255, 255, 1]),
  ])
  return Uint8Array.from(
    Buffer.concat([before, input, output, Buffer.from([1, 1, 255, 0, 0, 0, 0])]),
  )
}

function doubleHash(data: Uint8Array): Buffer<ArrayBuffer> {
  const once = createHash('sha256').update(data).digest()
  return Buffer.from(createHash('sha256').update(once).digest())
}

type Result = { readonly is_ok: () => boolean }

/** The value of a successful result, which only its subclass declares. */
function valueOf<T>(result: Result & { readonly res?: T }, otherwise: string): T {
  expectOk(result, otherwise)
  return result.res as T
}

function expectOk(result: Result, otherwise: string): void {
  if (!result.is_ok()) throw new Error(otherwise)
}
