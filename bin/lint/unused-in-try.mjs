/**
 * A call made only to see whether it throws. The bundler assumes that built-in functions have no side effects and drops
 * it, so the error is lost: use its result.
 */
const PURE = new Set(
  (
    'decodeURI decodeURIComponent encodeURI encodeURIComponent atob btoa structuredClone ' +
    'BigInt Number String Symbol RegExp Date JSON Intl Math URL Buffer Temporal'
  ).split(' '),
)

/** The root of a callee: `JSON` of `JSON.parse(text)`. */
function rootOf(callee) {
  if (callee.type === 'MemberExpression') return rootOf(callee.object)
  return callee.type === 'Identifier' ? callee.name : null
}

/** The expression of a statement, without wrappers. */
function valueOf(node) {
  if (node.type === 'UnaryExpression' || node.type === 'AwaitExpression')
    return valueOf(node.argument)
  return node.type === 'ChainExpression' ? valueOf(node.expression) : node
}

const unusedInTry = {
  create: (context) => ({
    TryStatement({ block }) {
      for (const statement of block.body) {
        if (statement.type !== 'ExpressionStatement') continue
        const value = valueOf(statement.expression)
        const isPure =
          value.type === 'NewExpression' ||
          (value.type === 'CallExpression' && PURE.has(rootOf(value.callee)))
        if (isPure)
          context.report({
            node: statement,
            message: 'use the result: the bundler drops a call whose result nothing uses',
          })
      }
    },
  }),
}

// Plugins are default exports.
export default { meta: { name: 'bundled' }, rules: { 'unused-in-try': unusedInTry } }
