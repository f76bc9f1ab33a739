// The parts of its global scope that the service worker uses. TypeScript's types of pages and of workers exclude each other.

export type WorkEvent = Event & { waitUntil(work: Promise<unknown>): void }
export type RequestEvent = WorkEvent & {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}
export type PageMessageEvent = WorkEvent & { readonly data: unknown }
export type PushMessageEvent = WorkEvent & { readonly data: { json(): unknown } | null }
export type NotificationClickEvent = WorkEvent & { readonly notification: Notification }

type WindowClient = { readonly url: string; focus(): Promise<WindowClient>; postMessage(message: unknown): void }

type Events = {
  install: WorkEvent
  activate: WorkEvent
  fetch: RequestEvent
  message: PageMessageEvent
  push: PushMessageEvent
  notificationclick: NotificationClickEvent
  pushsubscriptionchange: WorkEvent
}

type WorkerScope = {
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled?: boolean }): Promise<WindowClient[]>
    openWindow(address: string): Promise<WindowClient | null>
  }
  skipWaiting(): Promise<void>
  addEventListener<K extends keyof Events>(type: K, listener: (event: Events[K]) => void): void
}

export const scope = globalThis as unknown as WorkerScope
