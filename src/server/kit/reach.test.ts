import { isIP } from 'node:net'
import { it } from 'vitest'
import { storedCases } from '#tests/support/stored-cases.ts'
import {
  isPublicAddress,
  networkOf,
  prefixOf,
  PUBLIC_WEB,
  publicLookup,
  STRANGE_RELAYS,
  STRANGERS,
} from './reach.ts'

it('addresses are told apart as stored', () =>
  storedCases('reach', {
    'the network of an address, and the one around it': (address) =>
      `${networkOf(address)} in ${prefixOf(address)}`,
    'whether an address is public': isPublicAddress,
    'where a call goes to a name with these addresses': (addresses) => {
      const found = addresses.split(' ').map((address) => ({ address, family: isIP(address) }))
      const lookup = publicLookup((_host, _options, done) => done(null, found))
      return new Promise((done) =>
        lookup('name', {}, (error, address) => done(error?.code ?? address)),
      )
    },
    'whether an address of strangers may be called: as a page, by https, as a relay': (url) =>
      [PUBLIC_WEB, STRANGERS, STRANGE_RELAYS].map(({ isAllowed }) => isAllowed(new URL(url))),
  }))
