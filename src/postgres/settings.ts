export type PostgresSettings = Record<string, string | number>

/**
 * What the embedded server runs with: made for one small machine. What was acknowledged is on disk (fsync and
 * synchronous_commit stay on). The log names errors but neither statements nor values, which may be people's words.
 */
export const SETTINGS: PostgresSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: 100,
  shared_buffers: '128MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  random_page_cost: 1.1,
  jit: 'off',
  wal_compression: 'on',
  // A crash is recovered from by reading this much again: a second or two.
  max_wal_size: '512MB',
  checkpoint_timeout: '10min',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
}

/** PostgresSettings as arguments of the server. */
export function asArguments(settings: PostgresSettings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
