import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { postSources } from '#server/posts/configured-sources.ts'

function settings(given: Record<string, string>) {
  return readConfig(given, '/root').posts
}

describe('where posts are read', () => {
  it.each([
    [{}, ['syndication', 'oembed']],
    [{ POSTS_X_BEARER_TOKEN: 'key' }, ['x', 'syndication', 'oembed']],
    [{ POSTS_X_BEARER_TOKEN: 'key', POSTS_X_URL: 'off' }, ['syndication', 'oembed']],
    [{ POSTS_SYNDICATION_URL: 'off', POSTS_OEMBED_URL: 'off' }, []],
    [{ POSTS_SYNDICATION_URL: 'http://127.0.0.1:99/a', POSTS_OEMBED_URL: 'off' }, ['syndication']],
  ])('posts are read, with %j, at %j', (given, names) => {
    expect(postSources(settings(given)).map(({ name }) => name)).toEqual(names)
  })

  it.each([
    ['POSTS_X_URL', 'http://api.x.com'],
    ['POSTS_OEMBED_URL', 'https://user:SECRET@publish.x.com'],
    ['POSTS_SYNDICATION_URL', 'no address'],
    ['POSTS_X_BEARER_TOKEN', 'SECRET with a space'],
  ])(
    'the settings of posts are refused at the start for a wrong %s, without repeating it',
    (name, value) => {
      expect(() => settings({ [name]: value })).toThrow(new RegExp(`^${name} must be`))
      expect(() => settings({ [name]: value })).not.toThrow(/SECRET/)
    },
  )
})
