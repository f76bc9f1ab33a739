// Internals of the server that tests call directly. Prefer a request.
import * as find from '../../src/domain/accounts/find.ts'
import * as apps from '../../src/domain/auth/apps.ts'
import * as sessions from '../../src/actions/auth/sessions.ts'
import * as cache from '../../src/domain/media/cache.ts'
import * as tokens from '../../src/domain/auth/tokens.ts'
import * as userAdmin from '../../src/domain/auth/user-admin.ts'
import * as users from '../../src/domain/auth/users.ts'
import * as viewer from '../../src/domain/auth/viewer.ts'
import * as franking from '../../src/domain/crypto/franking.ts'
import * as attachments from '../../src/domain/media/attachments.ts'
import * as run from '../../src/domain/media/av/run.ts'
import * as conversion from '../../src/domain/media/conversion.ts'
import * as remote from '../../src/domain/media/remote.ts'
import * as requests from '../../src/domain/notifications/requests.ts'
import * as statusIndex from '../../src/domain/search/status-index.ts'
import * as asyncRefreshes from '../../src/domain/server/async-refreshes.ts'
import * as homeBuild from '../../src/domain/timelines/home-build.ts'
import * as deliveries from '../../src/domain/webhooks/deliveries.ts'
import * as webhooks from '../../src/domain/webhooks/webhooks.ts'
import * as cleanupPolicies from '../../src/domain/statuses/cleanup-policies.ts'
import * as dryRun from '../../src/domain/moderation/dry-run.ts'
import * as domainPolicy from '../../src/domain/peers/domain-policy.ts'
import * as servers from '../../src/domain/moderation/servers.ts'
import { caughtUp } from './caught-up.ts'

export { FetchError } from '../../src/net/fetch-error.ts'
export { openBackend } from '../../src/backend.ts'
export { parseObject } from '../../src/ap/note.ts'
export { routes } from '../../src/api/routes.ts'
export { type BusMessage } from '../../src/bus/bus.ts'
export { modify } from '../../src/cli/accounts.ts'
export { readConfig } from '../../src/config.ts'
export { archetypeOf, campaignYear } from '../../src/domain/annual-reports/reports.ts'
export { createBackup } from '../../src/domain/backup/create.ts'
export { deleteOrphans } from '../../src/domain/clean-up/orphans.ts'
export { openFileStore } from '../../src/files/open-store.ts'
export { newFileKey } from '../../src/files/store.ts'
export { PERMISSION_NAMES, permissionBit, type Permission } from '../../src/domain/auth/viewer.ts'
export { blankProfile } from '../../src/domain/accounts/profile-attributes.ts'
export { RETAINED, UNREFERENCED } from '../../src/domain/deletion/account.ts'
export { possibleSandboxes } from '../../src/domain/media/av/sandbox.ts'
export { proxyUrl } from '../../src/domain/media/remote.ts'
export { type StatusDraft } from '../../src/domain/statuses/draft.ts'
export { insertStatus } from '../../src/domain/statuses/insert.ts'
export { stylesheetPath } from '../../src/html/assets.ts'
export { parseQuery } from '../../src/http/rails-params.ts'
export { AppError, Forbidden, Invalid, NotFound } from '../../src/lib/errors.ts'
export { CLI_TEXTS } from '../../src/messages/cli.ts'
export { registerStreaming } from '../../src/streaming/routes.ts'
export { getSecrets, unseal } from '../../src/domain/server/secrets.ts'
export { clearServerState } from '../../src/context.ts'
export { newId } from '../../src/lib/ids.ts'
export type { Sql } from '../../src/db/sql.ts'
export { parseDomainList } from '../../src/domain/moderation/domain-csv.ts'

export const getAccountRow = caughtUp(find.getAccountRow)
export const insertApp = caughtUp(apps.insertApp)
export const createSession = caughtUp(sessions.createSession)
export const unlinkMissing = caughtUp(cache.unlinkMissing)
export const storeUses = caughtUp(cache.storeUses)
export const issueToken = caughtUp(tokens.issueToken)
export const findUser = caughtUp(userAdmin.findUser)
export const createUser = caughtUp(users.createUser)
export const findCaller = caughtUp(viewer.findCaller)
export const rotateSystemKeys = caughtUp(franking.rotateSystemKeys)
export const deleteOrphanedMedia = caughtUp(attachments.deleteOrphanedMedia)
export const convertMedia = caughtUp(run.convertMedia)
export const inspectMedia = caughtUp(run.inspectMedia)
export const probeSandbox = caughtUp(run.probeSandbox)
export const processMedia = caughtUp(conversion.processMedia)
export const cacheMedia = caughtUp(remote.cacheMedia)
export const deleteEmptyRequests = caughtUp(requests.deleteEmptyRequests)
export type { CleanupPolicy } from '../../src/domain/statuses/cleanup-policies.ts'
export const saveCleanupPolicy = caughtUp(cleanupPolicies.saveCleanupPolicy)
export const indexStatuses = caughtUp(statusIndex.indexStatuses)
export const addSearchShare = caughtUp(statusIndex.addSearchShare)
export const refreshIdFor = caughtUp(asyncRefreshes.refreshIdFor)
export const mergeIntoHome = caughtUp(homeBuild.mergeIntoHome)
export const listDeliveries = caughtUp(deliveries.listDeliveries)
export const readWebhookSecret = caughtUp(webhooks.readWebhookSecret)
export const estimateBlock = caughtUp(dryRun.estimateBlock)
export const isDomainAllowed = caughtUp(domainPolicy.isDomainAllowed)
export const getServer = caughtUp(servers.getServer)
export const listServers = caughtUp(servers.listServers)
