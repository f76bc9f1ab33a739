import { signal } from '@preact/signals'

/** True while a new version waits, or once the server no longer has the files of this one. */
export const isUpdateReady = signal(false)
