import { expect, it } from 'vitest'
import { addressText, fitted, fittedName, nameInPicture, widthOf } from './picture-text.ts'

it.each([
  ['Tom Lee', null, 'Tom Lee'],
  ['  Tom\n\tLee ', null, 'Tom Lee'],
  ['محمد', 'handle', 'محمد'],
  ['赵长鹏 (CZ) 🚀', null, '赵长鹏 (CZ) 🚀'],
  ['𐎠𐎭𐎠', '@old_persian', '@old_persian'],
  ['𐎠𐎭𐎠', 'https://x.com/old_persian', '@old_persian'],
  ['𐎠𐎭𐎠', null, 'Name: see the page'],
  ['', null, 'Name: see the page'],
])('writes the name %j of @%s as %j', (name, handle, written) => {
  expect(nameInPicture(name, handle)).toBe(written)
})

it.each([
  ['श्रीकृष्ण त्रिपाठी', /^श्रीकृ…$|^श्रीकृष्ण…$|^श्री…$/],
  ['👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧', /^(?:👨‍👩‍👧)+…$/],
  ['Zoë Zoë Zoë Zoë Zoë Zoë', /ë…$|Z…$|o…$/],
])('shortens %s without separating letters from their marks', (name, stored) => {
  const shortened = fitted(name, 20, 100)
  expect(shortened).toMatch(stored)
  expect(widthOf(shortened, 20)).toBeLessThanOrEqual(100)
})

it('keeps the ellipsis of a right-to-left name at its end', () => {
  expect(fittedName('محمد بن سلمان', 20, 80)).toMatch(/^\u2068محم.*…\u2069$/)
  expect(fittedName('Tom Lee', 20, 100)).toBe('Tom Lee')
})

it.each([
  ['https://example.org', '/experts/tom-lee', 'example.org/experts/tom-lee'],
  ['http://localhost:3001', '/', 'localhost:3001'],
  ['https://example.org', `/experts/${encodeURIComponent('محمد')}`, 'example.org/experts/محمد'],
])('writes the address %s%s as %s', (origin, path, written) => {
  expect(addressText(origin, path)).toBe(written)
})
