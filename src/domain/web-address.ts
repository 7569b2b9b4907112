/** Names that lead into the reader's own machine or network. */
const OWN_NETWORK =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|arpa)$/i

/**
 * Reads the address of a source: http or https, and a site on the public internet by its name. Text before an `@` is a
 * password, or makes one site look like another; browsers read a backslash as a slash; and a numeric address, in any
 * form, leads into a network and not to a source.
 *
 * @returns null when it is not such an address
 */
export function readSourceAddress(text: string): string | null {
  const [, authority = ''] = /^https?:\/\/([^/?#\s\\]+)(?:[/?#][^\s\\]*)?$/i.exec(text) ?? []
  const [, written = '', port] = /^([^@:[\]]+)(?::(\d{1,5}))?$/.exec(authority) ?? []
  // As browsers do, which read letters of other forms as plain ones.
  const host = written.normalize('NFKC')
  // A full stop at the end only says that the name is complete.
  const name = host.replace(/\.$/, '')
  const labels = name.split('.')
  const isName =
    labels.length > 1 &&
    labels.every((label) =>
      /^[\p{L}\p{M}\p{N}_](?:[\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}_])?$/u.test(label),
    ) &&
    /^(?:[\p{L}\p{M}]{2,63}|xn--[a-z0-9-]{2,59})$/iu.test(labels.at(-1) ?? '')
  if (!isName || OWN_NETWORK.test(name)) return null
  return port === undefined || (Number(port) > 0 && Number(port) < 65_536) ? text : null
}
