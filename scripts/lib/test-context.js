// node:test finds out which test a piece of code belongs to by a hook on every promise of the process, which slows down a server
// that runs in it. An AsyncLocalStorage answers the same question without one. Imported before node:test.
import hooks, { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'

/** @typedef {{ asyncId(): number }} Test */
/** @typedef {(id: number, type: string, trigger: number, resource: Test) => void} Init */

/** The id of the test that runs. @type {AsyncLocalStorage<number>} */
const current = new AsyncLocalStorage()
/** Tells node:test which test has an id, as its hook did when the test was made. @type {(test: Test) => void} */
let register = () => {}

const { createHook, executionAsyncId } = hooks
hooks.executionAsyncId = () => current.getStore() ?? executionAsyncId()
// The first hook is that of node:test.
hooks.createHook = (callbacks) => {
  const init = /** @type {Init} */ (/** @type {unknown} */ (callbacks.init))
  register = (test) => init(test.asyncId(), 'Test', -1, test)
  hooks.createHook = createHook
  const hook = { enable: () => hook, disable: () => hook, [Symbol.dispose]: () => {} }
  return hook
}

const { runInAsyncScope } = AsyncResource.prototype
/**
 * @this {AsyncResource}
 * @param {(...given: any[]) => any} work
 * @param {any} self
 * @param {any[]} given
 * @returns {any}
 */
AsyncResource.prototype.runInAsyncScope = function (work, self, ...given) {
  if (!('subtests' in this)) return runInAsyncScope.call(this, work, self, ...given)
  register(this)
  return runInAsyncScope.call(this, () => current.run(this.asyncId(), () => work.apply(self, given)))
}

// An error that no test waits for ends the process with status 1, after all its tests. The runner does not show its stack.
for (const event of ['uncaughtExceptionMonitor', 'unhandledRejection'])
  process.on(event, (error) => console.error(error))
