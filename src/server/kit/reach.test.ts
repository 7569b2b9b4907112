import { it } from 'vitest'
import { storedCases } from '#tests/support/stored-cases.ts'
import {
  isPublicAddress,
  networkOf,
  prefixOf,
  PUBLIC_WEB,
  STRANGE_RELAYS,
  STRANGERS,
} from './reach.ts'

it('addresses are told apart as stored', () =>
  storedCases('reach', {
    'the network of an address, and the one around it': (address) =>
      `${networkOf(address)} in ${prefixOf(address)}`,
    'whether an address is public': isPublicAddress,
    'whether an address of strangers may be called: as a page, by https, as a relay': (url) =>
      [PUBLIC_WEB, STRANGERS, STRANGE_RELAYS].map(({ isAllowed }) => isAllowed(new URL(url))),
  }))
