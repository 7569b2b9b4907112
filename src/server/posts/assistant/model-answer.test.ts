import { describe, expect, it } from 'vitest'
import { objectsIn } from './model-answer.ts'

describe('the search for objects in an answer', () => {
  it.each([
    ['', []],
    ['no object at all, "not" even here', []],
    ['{"a":1}', [{ a: 1 }]],
    ['{"a":1,}', [{ a: 1 }]],
    ['{"a":[1, 2 ,\n],\n"b":{"c":null, },}', [{ a: [1, 2], b: { c: null } }]],
    ['{"a":"x,}", "b":"\\",}", }', [{ a: 'x,}', b: '",}' }]],
    ['{"a":1} and then {"a":2}', [{ a: 1 }, { a: 2 }]],
    ['```json\n{"a":1}\n```\nno, rather\n```\n{"a":2}\n```', [{ a: 1 }, { a: 2 }]],
    ['[{"a":1},{"a":2},]', [{ a: 1 }, { a: 2 }]],
    ['A set {of words} comes first: {"a":1}', [{ a: 1 }]],
    ['A bracket { that stays open: {"a":1}', [{ a: 1 }]],
    ['{"a":1} {"a":', [{ a: 1 }]],
    ['{"a":{"b":1}}', [{ a: { b: 1 } }]],
    ['{"a":,}', []],
    ['{,}', [{}]],
    ['{"a":1,,}', []],
    ['{"a":"never ended', []],
  ])('finds the objects in %j', (text, objects) => {
    expect(objectsIn(text)).toEqual(objects)
  })

  it('gives up on text crafted to slow it down', () => {
    expect(objectsIn(`${'{'.repeat(50_000)}{"a":1}`)).toEqual([])
    expect(objectsIn(`${' '.repeat(200_000)}{"a":1}`)).toEqual([])
  })
})
