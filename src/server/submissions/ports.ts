import { SourceError } from '#server/kit/ports.ts'
import { type Network } from '#domain/money/bolt11.ts'

type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Stays the same when a mail is sent again, so that it can be distinguished from a new one. */
  readonly id: string
  /** Where a click or a mail program ends these mails. */
  readonly unsubscribeUrl: string
}

/** The mail server says that there is no such address, or that it takes nothing. */
export class AddressRefused extends SourceError {
  constructor(message: string) {
    super('refused', message)
  }
}

/**
 * Sends mail.
 *
 * @throws {AddressRefused}
 * @throws SourceError `refused` when this mail will never be taken, `busy` when the server puts it off, `down` when no mail can
 *   be sent at present
 */
export type Mailer = { readonly send: (mail: Mail, signal: AbortSignal) => Promise<void> }

/** Finds the invoice behind a Lightning address or LNURL, at addresses that strangers choose. */
export type NoteInvoices = {
  /**
   * @param message goes along with the payment, cut to what the other side takes
   * @returns an invoice over exactly these sats
   * @throws SourceError: `refused` when it will never take such a payment
   */
  readonly invoiceFor: (
    url: string,
    ask: { sats: number; message: string; network: Network },
    signal: AbortSignal,
  ) => Promise<string>
}
