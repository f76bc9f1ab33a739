import { signal } from '@preact/signals'

/** Offers to load the page anew. Null while there is no reason. */
export const updateNotice = signal<{ text: string; action: string; act: () => Promise<void> } | null>(null)
