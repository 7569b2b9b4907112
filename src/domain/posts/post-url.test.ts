import { it } from 'vitest'
import { isoDay } from '#domain/day.ts'
import { storedCases } from '#tests/support/stored-cases.ts'
import { addressesIn, postDay, postTime, postUrlFault, readPostUrl } from './post-url.ts'

it('addresses of posts are read as stored', () =>
  storedCases('post-url', {
    'the address of a post': (text) => ({ ...readPostUrl(text), fault: postUrlFault(text) }),
    'the time of a post': (id) => postTime(id) && new Date(Number(postTime(id))).toISOString(),
    'the day of a post': (url) => {
      const day = postDay(url)
      return day === null ? null : isoDay(day)
    },
    'addresses in a list, at most ten or two': (list) => [
      addressesIn(list, 10),
      addressesIn(list, 2),
    ],
  }))
