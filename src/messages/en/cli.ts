import { enCliBackup } from './cli-backup.ts'
import { enCliOperations } from './cli-operations.ts'
import { enCliEmoji } from './cli-emoji.ts'
import type { Translated } from './pages.ts'
import { plural } from '../plural.ts'

/** The English texts of the command line. What is typed or read by programs (names of commands and options, JSON) has no language. */
export const enCli = {
  about: 'Manages a Rookery server through the configured database, whether the server is running or not.',
  usage: 'Usage',
  commands_title: 'Commands',
  options_title: 'Options',
  hint: 'Every command explains itself with --help and prints JSON with --json.',
  see_help: ({ help }: { help: string }) => `See: ${help}`,
  json: 'print JSON, for programs',
  help: 'show this help',
  commands: {
    ...enCliBackup.commands,
    ...enCliOperations.commands,
    ...enCliEmoji.commands,
    'accounts create': {
      summary: 'Create an account on this server',
      options: {
        email: 'e-mail address (required)',
        password: 'password; without it, a random one is created and shown',
        role: 'name of a role, such as Moderator, or user for none',
        confirmed: 'treat the e-mail address as confirmed; without it, a confirmation e-mail is sent',
        approved: 'approve the account',
        reattach:
          'give the user the account of this name that was deleted: name and addresses, but nothing else is left of it',
        token: 'create an access token with these scopes, such as "read write follow push"',
      },
    },
    'accounts modify': {
      summary: 'Change an account of this server',
      options: {
        email: 'new e-mail address',
        role: 'name of a role, such as Moderator, or user for none',
        confirm: 'treat the e-mail address as confirmed',
        approve: 'approve a pending sign-up',
        disable: 'stop the account from signing in',
        enable: 'let the account sign in again',
        'disable-2fa': 'remove the authenticator app, passkeys and recovery codes',
      },
    },
    'accounts delete': {
      summary: 'Delete an account of this server and all its posts. This cannot be undone',
      options: { yes: 'confirm the deletion' },
    },
    'accounts reset-password': {
      summary: 'Give an account a new random password and sign it out everywhere',
      options: {},
    },
    'accounts list': {
      summary: 'List the accounts of this server, newest first',
      options: {
        limit: 'how many accounts; 100 unless given',
        before: 'the next page: accounts older than this user id',
      },
    },
    'settings get': { summary: 'Show a setting of this server, or all of them', options: {} },
    'settings set': { summary: 'Change a setting of this server. Takes effect at once', options: {} },
    'federation budgets': {
      summary: 'Show how many requests and new accounts each host caused, by the hour',
      options: { hours: 'how many hours to look back; 24 unless given' },
    },
    'db migrate': { summary: 'Bring the database to this version', options: {} },
    'db status': { summary: 'Show which migrations the database has', options: {} },
    version: { summary: 'Show the version', options: {} },
  },
  errors: {
    no_command: ({ name }: { name: string }) => `there is no command ${name}`,
    incomplete: ({ name, choices }: { name: string; choices: string }) => `${name} needs one of: ${choices}`,
    no_arguments: ({ words }: { words: string }) => `takes no arguments, but got: ${words}`,
    needs: ({ what }: { what: string }) => `needs ${what}`,
    unknown_option: ({ name }: { name: string }) => `there is no option ${name}`,
    value_missing: ({ name }: { name: string }) => `the option ${name} needs a value`,
    no_value: ({ name }: { name: string }) => `the option ${name} takes no value`,
    one_of: ({ name, choices }: { name: string; choices: string }) => `${name} must be one of ${choices}`,
    number: ({ name, min, max }: { name: string; min: number; max: number }) =>
      `${name} must be a number from ${min} to ${max}`,
    number_or_none: ({ name, min, max }: { name: string; min: number; max: number }) =>
      `${name} must be a number from ${min} to ${max}, or none`,
    size: ({ name }: { name: string }) => `${name} must be a size such as "5 GB", or none`,
    user_id: ({ name }: { name: string }) => `${name} must be a user id`,
    unknown_scope: ({ scopes }: { scopes: string }) => `--token: one of these scopes does not exist: ${scopes}`,
    admin_scopes: 'admin scopes are for users with a role: add --role.',
    no_account: ({ username }: { username: string }) =>
      `There is no account named ${username} here. See: rookery accounts list`,
    no_email: ({ text }: { text: string }) => `${text} is not an e-mail address`,
    contradiction: '--disable and --enable contradict each other',
    no_change: 'needs at least one change, such as --role admin',
    confirm_deletion: 'deletes permanently: add --yes to continue',
    no_role: ({ name, known }: { name: string; known: string }) =>
      `the role ${name} does not exist. There are: ${known}`,
    no_setting: ({ name, known }: { name: string; known: string }) =>
      `there is no setting ${name}. There are: ${known}`,
    set_by_environment: ({ name, variable }: { name: string; variable: string }) =>
      `${name} is set by ${variable} in the environment.`,
    boolean: ({ name }: { name: string }) => `${name} must be true or false`,
  },
  results: {
    created: ({ handle }: { handle: string }) => `Created ${handle}.`,
    password: ({ password }: { password: string }) => `Password: ${password}`,
    token: ({ token }: { token: string }) => `Access token: ${token}`,
    changed: ({ username }: { username: string }) => `Changed @${username}.`,
    new_password: ({ username, password }: { username: string; password: string }) =>
      `New password of @${username}: ${password}`,
    deleted: ({ username }: { username: string }) =>
      `Deleted @${username}. The name stays taken; the running server informs other servers.`,
    no_accounts: 'There are no accounts yet.',
    columns: { name: 'NAME', email: 'E-MAIL', role: 'ROLE', state: 'STATE', since: 'SINCE', id: 'ID' },
    states: {
      suspended: 'suspended',
      memorial: 'memorial',
      disabled: 'disabled',
      unconfirmed: 'unconfirmed',
      pending: 'pending',
      active: 'active',
    },
    up_to_date: 'The database is up to date.',
    applied: ({ migrations }: { migrations: string }) => `Applied ${migrations}.`,
    not_applied: 'not applied yet',
    limits: ({ requests, caused, accounts }: { requests: number; caused: number; accounts: number }) =>
      `Per host and hour: ${requests} requests to it, ${caused} caused by it, ${accounts} new accounts.`,
    requests: ({ count }: { count: number }) => plural('en', count, { one: '# request', other: '# requests' }),
    caused: ({ count }: { count: number }) => plural('en', count, { one: '# caused', other: '# caused' }),
    accounts: ({ count }: { count: number }) => plural('en', count, { one: '# new account', other: '# new accounts' }),
    refused: ({ count }: { count: number }) => plural('en', count, { one: '# refused', other: '# refused' }),
    version: ({ version, mastodon, node }: { version: string; mastodon: string; node: string }) =>
      `Rookery ${version} (offers the API of Mastodon ${mastodon}; Node ${node})`,
  },
  backup: enCliBackup,
  operations: enCliOperations,
  emoji: enCliEmoji,
}

export type CliTexts = Translated<typeof enCli>
