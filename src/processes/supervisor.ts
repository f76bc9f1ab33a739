import cluster, { type Worker } from 'node:cluster'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { ProcessRole } from '../config.ts'
import { StartError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import { STOP_ORDER, type ToChild, type ToPrimary } from './messages.ts'
import { refuseStream } from './streams.ts'

/** `role`: the group of processes with which it stops. `roles`: its roles, for its configuration. */
export type ChildPlan = { name: string; role: ProcessRole; roles: string }
type Ready = Extract<ToPrimary, { type: 'ready' }>
type Child = { plan: ChildPlan; worker: Worker; ended: Promise<void> }

/** In milliseconds. A process that ran for `steady` starts again soon, whatever happened before. */
const RESTART = { first: 250, most: 30_000, steady: 60_000 }
/** Milliseconds that a process has to finish requests or jobs. */
const STOP_TIMEOUT_MS = 25_000

/** Starts processes again when they end, with growing pauses. Web processes share their port. */
export class Supervisor {
  readonly #log: Log
  readonly #plans: readonly ChildPlan[]
  readonly #env: Record<string, string>
  readonly #children = new Map<string, Child>()
  #stopping = false

  /** `env`: for all processes. */
  constructor(log: Log, plans: readonly ChildPlan[], env: Record<string, string>) {
    this.#log = log
    this.#plans = plans
    this.#env = env
  }

  /**
   * Starts the first process alone, and then the others at once. Returns the message of the one with the link that sets up the
   * server, if it needs one. Throws StartError when one cannot start.
   */
  async start(): Promise<Ready> {
    const [first, ...others] = this.#plans as [ChildPlan, ...ChildPlan[]]
    const ready = [await this.#run(first), ...(await Promise.all(others.map((plan) => this.#run(plan))))]
    for (const plan of this.#plans) this.#supervise(plan, 0)
    return ready.find(({ setUpLink }) => setUpLink !== null) ?? (ready.at(-1) as Ready)
  }

  /** Stops the processes role by role, in STOP_ORDER. */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const role of STOP_ORDER) {
      const children = [...this.#children.values()].filter(({ plan }) => plan.role === role)
      await Promise.all(children.map((child) => this.#end(child)))
    }
  }

  async #end({ plan, worker, ended }: Child): Promise<void> {
    if (worker.isConnected()) worker.send({ type: 'stop' } satisfies ToChild, () => {})
    const patience = new AbortController()
    const late = delay(STOP_TIMEOUT_MS, 'late', { signal: patience.signal }).catch(() => {})
    if ((await Promise.race([ended, late])) === 'late') {
      this.#log.warn({ process: plan.name }, 'process.killed')
      worker.process.kill('SIGKILL')
      await ended
    }
    patience.abort()
  }

  /** Throws StartError. */
  #run(plan: ChildPlan): Promise<Ready> {
    const worker = cluster.fork({ ...this.#env, PROCESS_NAME: plan.name, PROCESS_ROLES: plan.roles })
    worker.on('error', (error) => this.#log.warn({ err: error, process: plan.name }, 'process.unreachable'))
    return new Promise((resolve, reject) => {
      const ended = new Promise<void>((done) => {
        worker.once('exit', (code, signal) => {
          done()
          reject(new StartError(`The process ${plan.name} ended before it was ready (${signal ?? code}).`))
        })
      })
      worker.on('message', (message: ToPrimary, socket?: Socket) => {
        if (message.type === 'ready') resolve(message)
        if (message.type === 'failed') reject(new StartError(message.reason))
        if (message.type === 'stream' && socket) this.#passOn(message.request, socket)
      })
      this.#children.set(plan.name, { plan, worker, ended })
    })
  }

  #passOn(request: string, socket: Socket): void {
    const target = this.#children.get('streaming')?.worker
    if (!target?.isConnected()) return refuseStream(socket)
    // Its copy of the connection is closed once the other process has it.
    target.send({ type: 'stream', request } satisfies ToChild, socket, () => socket.destroy())
  }

  /** Starts the process again whenever it ends. */
  #supervise(plan: ChildPlan, failures: number): void {
    const { worker, ended } = this.#children.get(plan.name) as Child
    const begun = Date.now()
    void ended.then(async () => {
      if (this.#stopping) return
      const { exitCode: code, signalCode: signal } = worker.process
      this.#log.error({ process: plan.name, code, signal }, 'process.ended')
      await this.#restart(plan, Date.now() - begun > RESTART.steady ? 0 : failures)
    })
  }

  async #restart(plan: ChildPlan, failures: number): Promise<void> {
    for (let tries = failures; !this.#stopping; tries++) {
      await delay(Math.min(RESTART.most, RESTART.first * 2 ** tries), undefined, { ref: false })
      if (this.#stopping) return
      try {
        await this.#run(plan)
        this.#log.warn({ process: plan.name }, 'process.restarted')
        return this.#supervise(plan, tries + 1)
      } catch (error) {
        this.#log.error({ process: plan.name, reason: (error as Error).message }, 'process.restart-failed')
      }
    }
  }
}
