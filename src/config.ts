import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { loadEnvFile } from 'node:process'
import { StartError } from './lib/errors.ts'
import { readOidc, type ProviderSettings } from './lib/identity-provider-settings.ts'
import { isEmail, type SmtpSettings } from './lib/mail.ts'
import { trimEnd } from './lib/text/linear-time.ts'
import {
  addresses,
  domain,
  domains,
  endpoint,
  flag,
  nameServers,
  neededWith,
  number,
  oneOf,
  optionalEndpoint,
  type Variables,
} from './lib/variables.ts'

/** `server`: does what its roles say. `command`: a command that may share the server's embedded database. */
export type ProcessKind = 'server' | 'command'
export const PROCESS_ROLES = ['web', 'streaming', 'worker'] as const
/** What a process of the server does: answers requests, serves streams, runs jobs. */
export type ProcessRole = (typeof PROCESS_ROLES)[number]
export type RegistrationsMode = 'open' | 'approved' | 'none'
/** `endpoint` has no trailing slash. */
export type LibreTranslate = { kind: 'libretranslate'; endpoint: string; apiKey: string | null }
export type DeepL = { kind: 'deepl'; endpoint: string; apiKey: string }

/**
 * `address`: of the bucket, with a trailing slash. `prefix`: empty or with a trailing slash.
 * https://docs.joinmastodon.org/admin/config/#s3
 */
export type S3 = {
  bucket: string
  address: string
  region: string
  prefix: string
  accessKeyId: string
  secretAccessKey: string
}

/** Read once at start-up. No other file reads `process.env`. */
export type Config = {
  /** The domain of handles, with a port that is not the default: `example.org`, `localhost:3000`. */
  localDomain: string
  /** The domain of URLs; the local domain by default. */
  webDomain: string
  /** Other domains of this server. Their addresses and handles are those of local accounts. */
  alternateDomains: readonly string[]
  /** `https://WEB_DOMAIN`, without a trailing slash. */
  baseUrl: string
  https: boolean
  port: number
  bind: string
  roles: readonly ProcessRole[]
  /** How many web processes run. More than one run beside a streaming process and a worker. */
  webConcurrency: number
  /** The name of a process that the primary process supervises, such as `web-1`; null for others. */
  processName: string | null
  /** Where streams are served, if elsewhere; no trailing slash. */
  streamingUrl: string | null
  databaseUrl: string | null
  /** Only transactions use the pool. */
  databasePool: number
  dataDir: string
  /** Where files are stored; null: in `dataDir`. */
  s3: S3 | null
  /** Where clients find files; no trailing slash. */
  filesUrl: string
  /** Seals the keys in the database. Null: a file in `dataDir` contains it. */
  secretKeyBase: string | null
  trustedProxies: string[]
  allowedPrivateAddresses: string[]
  /** Where the mail servers of a domain are looked up, such as `192.0.2.1:53`; those of the system when empty. */
  dnsServers: string[]
  smtp: SmtpSettings | null
  translation: LibreTranslate | DeepL | null
  /** Where a service says which appeal for donations users see; null for none. */
  donationCampaignsUrl: string | null
  limitedFederation: boolean
  authorizedFetch: boolean
  /** Whether auxiliary service providers can register (`EXPERIMENTAL_FEATURES`). */
  fasp: boolean
  logLevel: string
  /** Where Prometheus reads figures; null: nowhere. */
  metrics: { host: string; port: number } | null
  rateLimits: boolean
  /** Converts video, audio and animations, on platforms where node-av runs. */
  mediaProcessing: boolean
  /** Whether administrators may let accounts send their posts by mail. */
  emailSubscriptions: boolean
  /** Null keeps the administrators' setting. `none` in single-user mode. */
  registrationsMode: RegistrationsMode | null
  /** The first account's profile stands in for the start page. */
  singleUserMode: boolean
  /** Whether registrations stay open while no moderator is active. */
  registrationsStayOpen: boolean
  oauthPasswordGrant: boolean
  oidc: ProviderSettings | null
  /** The provider in `oidc` is the only way to sign in and up. */
  omniauthOnly: boolean
  /** AGPL, section 13. */
  sourceUrl: string
  /** For `npm run dev`: Vite serves the web client, at the server's address. */
  clientDev: boolean
  /** For tests: validates every response against its schema. */
  validateResponses: boolean
}

/** Relative paths refer to the project's folder. */
const ROOT = join(import.meta.dirname, '..')

/** Mastodon's modes: all but `none` verify the certificate of the mail server. */
const VERIFY_MODES = ['none', 'peer', 'client_once', 'fail_if_no_peer_cert']
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** The environment overrides `.env` in the project's folder. Throws StartError that names an invalid variable. */
export function readConfig(overrides: NodeJS.ProcessEnv = {}): Config {
  const envFile = join(ROOT, '.env')
  if (existsSync(envFile)) loadEnvFile(envFile)
  const env = { ...process.env, ...overrides }
  const text: Variables = (name) => env[name]?.trim() || null
  const port = number(text, 'PORT', { fallback: 3000, min: 0, max: 65535 })
  const localDomain = domain(text, 'LOCAL_DOMAIN') ?? (port === 80 ? 'localhost' : `localhost:${port}`)
  const webDomain = domain(text, 'WEB_DOMAIN') ?? localDomain
  const https = flag(text, 'LOCAL_HTTPS', !isLoopbackName(webDomain))
  const baseUrl = `${https ? 'https' : 'http'}://${webDomain}`
  const s3 = readS3(text)
  const singleUserMode = flag(text, 'SINGLE_USER_MODE', false)
  const oidc = readOidc(text, baseUrl)
  const omniauthOnly = flag(text, 'OMNIAUTH_ONLY', false)
  if (omniauthOnly && oidc === null) throw new StartError('OMNIAUTH_ONLY=true needs OIDC_ENABLED=true.')
  const filesHost = domain(text, 'S3_ALIAS_HOST')
  return {
    localDomain,
    webDomain,
    alternateDomains: domains(text, 'ALTERNATE_DOMAINS'),
    baseUrl,
    https,
    port,
    bind: text('BIND') ?? 'localhost',
    roles: processRoles(text('PROCESS_ROLES')),
    webConcurrency: number(text, 'WEB_CONCURRENCY', { fallback: 1, min: 1, max: 64 }),
    processName: text('PROCESS_NAME'),
    streamingUrl: streamingUrl(text('STREAMING_API_BASE_URL')),
    databaseUrl: databaseUrl(text('DATABASE_URL')),
    databasePool: number(text, 'DB_POOL', { fallback: 10, min: 2, max: 1000 }),
    dataDir: resolve(ROOT, text('DATA_DIR') ?? 'data'),
    s3,
    filesUrl: s3 && filesHost ? `https://${filesHost}` : `${baseUrl}/files`,
    secretKeyBase: secretKeyBase(text('SECRET_KEY_BASE')),
    trustedProxies: addresses(text, 'TRUSTED_PROXY_IP') ?? ['127.0.0.0/8', '::1'],
    allowedPrivateAddresses: addresses(text, 'ALLOWED_PRIVATE_ADDRESSES') ?? [],
    dnsServers: nameServers(text, 'DNS_SERVERS'),
    smtp: readSmtp(text, localDomain),
    translation: readTranslation(text),
    donationCampaignsUrl: optionalEndpoint(text, 'DONATION_CAMPAIGNS_URL'),
    limitedFederation: flag(text, 'LIMITED_FEDERATION_MODE', false),
    authorizedFetch: flag(text, 'AUTHORIZED_FETCH', false),
    fasp: readFasp(text),
    logLevel: oneOf(text('LOG_LEVEL')?.toLowerCase() ?? 'info', 'LOG_LEVEL', LOG_LEVELS),
    metrics: readMetrics(text),
    rateLimits: flag(text, 'RATE_LIMITS', true),
    mediaProcessing: flag(text, 'MEDIA_PROCESSING', true),
    emailSubscriptions: !flag(text, 'DISABLE_EMAIL_SUBSCRIPTIONS', false),
    registrationsMode: singleUserMode ? 'none' : registrationsMode(text('REGISTRATIONS_MODE')),
    singleUserMode,
    registrationsStayOpen: flag(text, 'DISABLE_AUTOMATIC_SWITCHING_TO_APPROVED_REGISTRATIONS', false),
    oauthPasswordGrant: flag(text, 'OAUTH_PASSWORD_GRANT', false) && !omniauthOnly,
    oidc,
    omniauthOnly,
    sourceUrl: endpoint(text('SOURCE_BASE_URL') ?? `${baseUrl}/source.tar.gz`, 'SOURCE_BASE_URL'),
    clientDev: flag(text, 'CLIENT_DEV', false),
    validateResponses: flag(text, 'VALIDATE_RESPONSES', false),
  }
}

/** The terminal's locale, such as `de_DE`; empty for none. */
export function readLocale(env: NodeJS.ProcessEnv = process.env): string {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return locale.split(/[.@]/, 1)[0] as string
}

/** Of Mastodon's experimental features, this server has one. Others are ignored. */
function readFasp(text: Variables): boolean {
  const isOn = (text('EXPERIMENTAL_FEATURES') ?? '').split(/[\s,]+/).includes('fasp')
  if (isOn && flag(text, 'LIMITED_FEDERATION_MODE', false))
    throw new StartError(
      'EXPERIMENTAL_FEATURES=fasp names public posts to others. With LIMITED_FEDERATION_MODE=true none are public: remove one.',
    )
  return isOn
}

function readMetrics(text: Variables): Config['metrics'] {
  if (!flag(text, 'MASTODON_PROMETHEUS_EXPORTER_ENABLED', false)) return null
  return {
    host: text('MASTODON_PROMETHEUS_EXPORTER_HOST') ?? 'localhost',
    port: number(text, 'MASTODON_PROMETHEUS_EXPORTER_PORT', { fallback: 9394, min: 1, max: 65535 }),
  }
}

function readSmtp(text: Variables, localDomain: string): SmtpSettings | null {
  const host = text('SMTP_SERVER')
  if (!host) return null
  const port = number(text, 'SMTP_PORT', { fallback: 587, min: 1, max: 65535 })
  return {
    host,
    port,
    user: text('SMTP_LOGIN'),
    password: text('SMTP_PASSWORD'),
    from: sender(text('SMTP_FROM_ADDRESS')) ?? `notifications@${localDomain.replace(/:\d+$/, '')}`,
    tls: flag(text, 'SMTP_TLS', port === 465),
    verify: oneOf(text('SMTP_OPENSSL_VERIFY_MODE') ?? 'peer', 'SMTP_OPENSSL_VERIFY_MODE', VERIFY_MODES) !== 'none',
  }
}

/** An address, or a name and an address in angle brackets. */
function sender(value: string | null): string | null {
  if (value !== null && !isEmail(/<([^<>]*)>$/.exec(value)?.[1] ?? value))
    throw new StartError(
      `SMTP_FROM_ADDRESS=${value} is not an address such as hello@example.org or Our place <hello@example.org>.`,
    )
  return value
}

function readS3(text: Variables): S3 | null {
  if (!flag(text, 'S3_ENABLED', false)) return null
  const needed = neededWith(text, 'S3_ENABLED=true')
  const [bucket, region, prefix] = [needed('S3_BUCKET'), text('S3_REGION') ?? 'us-east-1', text('S3_KEY_PREFIX')]
  if (!/^[\w-]+$/.test(region)) throw new StartError(`S3_REGION=${region} is not a region such as us-east-1.`)
  if (!/^[a-z0-9][\w.-]+$/i.test(bucket)) throw new StartError(`S3_BUCKET=${bucket} is not the name of a bucket.`)
  const own = text('S3_ENDPOINT')
  const service = new URL(own === null ? `https://s3.${region}.amazonaws.com` : endpoint(own, 'S3_ENDPOINT'))
  // A certificate for all buckets covers no name with a dot.
  const isHost = flag(text, 'S3_OVERRIDE_PATH_STYLE', own === null && !bucket.includes('.'))
  return {
    bucket,
    address: isHost
      ? `${service.protocol}//${bucket}.${service.host}/`
      : `${service.origin}${trimEnd(service.pathname, /\//)}/${bucket}/`,
    region,
    prefix: prefix === null ? '' : `${trimEnd(prefix, /\//)}/`,
    accessKeyId: needed('AWS_ACCESS_KEY_ID'),
    secretAccessKey: needed('AWS_SECRET_ACCESS_KEY'),
  }
}

/** Prefers DeepL, as Mastodon does. Its plan decides its endpoint. */
function readTranslation(text: Variables): LibreTranslate | DeepL | null {
  const deepl = text('DEEPL_API_KEY')
  if (deepl) {
    const plan = oneOf(text('DEEPL_PLAN')?.toLowerCase() ?? 'free', 'DEEPL_PLAN', ['free', 'pro'])
    const usual = plan === 'pro' ? 'https://api.deepl.com' : 'https://api-free.deepl.com'
    return { kind: 'deepl', endpoint: endpoint(text('DEEPL_ENDPOINT') ?? usual, 'DEEPL_ENDPOINT'), apiKey: deepl }
  }
  const libre = text('LIBRE_TRANSLATE_ENDPOINT')
  if (!libre) return null
  return {
    kind: 'libretranslate',
    endpoint: endpoint(libre, 'LIBRE_TRANSLATE_ENDPOINT'),
    apiKey: text('LIBRE_TRANSLATE_API_KEY'),
  }
}

function streamingUrl(value: string | null): string | null {
  if (value !== null && !(/^wss?:\/\//i.test(value) && URL.canParse(value)))
    throw new StartError(`STREAMING_API_BASE_URL=${value} is not an address such as wss://streaming.example.org.`)
  return value === null ? null : trimEnd(value, /\//)
}

function processRoles(value: string | null): readonly ProcessRole[] {
  const names = (value ?? PROCESS_ROLES.join()).split(/[\s,]+/).filter(Boolean)
  for (const name of names.length === 0 ? [String(value)] : names) oneOf(name, 'PROCESS_ROLES', [...PROCESS_ROLES])
  return PROCESS_ROLES.filter((role) => names.includes(role))
}

const registrationsMode = (value: string | null): RegistrationsMode | null =>
  value === null ? null : (oneOf(value, 'REGISTRATIONS_MODE', ['open', 'approved', 'none']) as RegistrationsMode)

const isLoopbackName = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(host)

function databaseUrl(value: string | null): string | null {
  if (value === null) return null
  if (!/^postgres(ql)?:\/\//.test(value))
    throw new StartError(
      'DATABASE_URL must begin with postgresql://, as in postgresql://user:password@host:5432/rookery',
    )
  return value
}

function secretKeyBase(value: string | null): string | null {
  if (value !== null && value.length < 32)
    throw new StartError(
      'SECRET_KEY_BASE must have at least 32 characters, such as the output of `openssl rand -hex 64`.',
    )
  return value
}
