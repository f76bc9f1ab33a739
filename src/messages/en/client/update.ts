export const enClientUpdate = {
  ready: 'A new version is ready.',
  reload_to_update: 'Reload to update',
  incomplete: 'Some of this page could not be loaded.',
  reload: 'Reload',
}

export type ClientUpdateTexts = typeof enClientUpdate
