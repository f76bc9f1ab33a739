export type PostgresSettings = Record<string, string | number>

/**
 * The settings of the embedded server, for one small machine. Acknowledged writes are on disk (fsync and
 * synchronous_commit stay on). The log contains errors, but neither statements nor values, which may be private.
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
  // Recovery after a crash reads this much again, in a second or two.
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
