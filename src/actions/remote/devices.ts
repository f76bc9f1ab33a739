// Devices of local and remote accounts, and claims of their one-time keys.
import { parseDevices, parseOneTimeKey, type RemoteDevice } from '../../ap/devices.ts'
import { perServer, type Context } from '../../context.ts'
import { fetchCollection, postForDocument } from '../../domain/accounts/documents.ts'
import {
  type ClaimedKey,
  claimKeys,
  type DeviceDescription,
  type DeviceName,
  findDevicesOf,
  isKey,
  isSignatureOver,
} from '../../domain/crypto/devices.ts'
import { findRemoteOwners, type RemoteOwner } from '../../domain/crypto/remote.ts'
import { cachedRead, createSemaphore } from '../../lib/concurrency.ts'
import { unlessUnreachable } from '../../net/fetch-error.ts'
import { lruCache } from '../../lib/lru-cache.ts'

/** Limits of one request of a client: requests at once, and milliseconds after which no other server is asked. */
const CONCURRENT_REQUESTS = 8
const MAX_MS = 15_000

/** By the addresses of their collections; null for one that could not be read. A large one takes 100 KB. */
const cachedDevices = perServer(() => lruCache<string, Promise<RemoteDevice[] | null>>({ max: 200, ttl: 60_000 }))

/**
 * The devices of accounts, in the order of `accountIds`. Unreachable accounts, and those whose server does not list devices, have
 * no entry. Never call it in a transaction.
 */
export async function queryDevices(
  ctx: Context,
  me: string,
  accountIds: readonly string[],
): Promise<{ account_id: string; devices: readonly DeviceDescription[] }[]> {
  const local = await findDevicesOf(ctx, me, accountIds)
  const remote = await askEach(await findRemoteOwners(ctx, me, accountIds), async (owner) => {
    const devices = await fetchDevices(ctx, owner)
    return devices && { account_id: owner.id, devices }
  })
  const byId = new Map([...local, ...remote].map((row) => [row.account_id, row]))
  return [...new Set(accountIds)].flatMap((id) => byId.get(id) ?? [])
}

/**
 * A one-time key of each device, in the order of `names`. Leaves out devices that do not exist, have no keys or are on servers
 * that do not hand out a valid one. Never call it in a transaction.
 */
export async function claimDeviceKeys(ctx: Context, me: string, names: readonly DeviceName[]): Promise<ClaimedKey[]> {
  const unique = [...new Map(names.map((name) => [keyOf(name), name])).values()]
  const owners = await findRemoteOwners(
    ctx,
    me,
    unique.map(({ account_id }) => account_id),
  )
  const ownerOf = new Map(owners.map((owner) => [owner.id, owner]))
  const local = await claimKeys(ctx, me, unique)
  const remote = await askEach(
    unique.filter(({ account_id }) => ownerOf.has(account_id)),
    async (name) => claimRemoteKey(ctx, me, ownerOf.get(name.account_id) as RemoteOwner, name.device_id),
  )
  const byName = new Map([...local, ...remote].map((claimed) => [keyOf(claimed), claimed]))
  return unique.flatMap((name) => byName.get(keyOf(name)) ?? [])
}

const keyOf = ({ account_id, device_id }: DeviceName): string => `${account_id} ${device_id}`

async function claimRemoteKey(
  ctx: Context,
  me: string,
  owner: RemoteOwner,
  deviceId: string,
): Promise<ClaimedKey | null> {
  const device = (await fetchDevices(ctx, owner))?.find(({ device_id }) => device_id === deviceId)
  if (!device) return null
  const claimed = parseOneTimeKey(await unlessUnreachable(postForDocument(ctx, device.claimUrl, me)))
  if (!claimed || !isKey(claimed.key)) return null
  if (!isSignatureOver(claimed.key, claimed.signature, device.fingerprint_key)) return null
  return { account_id: owner.id, device_id: deviceId, ...claimed }
}

/** Null when the collection cannot be read. */
const fetchDevices = (ctx: Context, owner: RemoteOwner): Promise<RemoteDevice[] | null> =>
  cachedRead(cachedDevices(ctx), owner.devices_url, () => readDevices(ctx, owner))

async function readDevices(ctx: Context, { uri, devices_url }: RemoteOwner): Promise<RemoteDevice[] | null> {
  const devices = parseDevices(await unlessUnreachable(fetchCollection(ctx, devices_url)), uri)
  return devices && devices.filter(({ fingerprint_key, identity_key }) => isKey(fingerprint_key) && isKey(identity_key))
}

async function askEach<T, R>(items: readonly T[], ask: (item: T) => Promise<R | null>): Promise<R[]> {
  const limit = createSemaphore(CONCURRENT_REQUESTS)
  const end = Date.now() + MAX_MS
  const answers = items.map((item) => limit(async () => (Date.now() < end ? ask(item) : null)))
  return (await Promise.all(answers)).filter((answer) => answer !== null)
}
