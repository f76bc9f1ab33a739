import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAddressPolicy, embeddedIpv4 } from './addresses.ts'

const closed = createAddressPolicy([])

const refused = [
  '0.0.0.0',
  '0.1.2.3',
  '10.1.2.3',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.1.1.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::1',
  '2001:0:7f00:1::',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '4000::1',
]
const open = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.0.1.1',
  '198.17.0.1',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
  '2001:4860:4860::8888',
]

test('special-purpose addresses of both families are refused', () => {
  for (const address of refused) assert.equal(closed.allows(address), false, address)
})

test('public addresses are allowed', () => {
  for (const address of open) assert.equal(closed.allows(address), true, address)
})

test('other texts than IP addresses are refused', () => {
  for (const text of ['', 'localhost', '127.1', '0x7f000001', '1.2.3.4.', '[::1]', '1.2.3.4/8', '::1%lo']) {
    assert.equal(closed.allows(text), false, text)
  }
})

test('the allow list permits exactly its entries', () => {
  const policy = createAddressPolicy(['127.0.0.0/8', '::1', '192.168.7.7'])
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '192.168.7.7', '::ffff:127.0.0.1', '::ffff:7f00:1']) {
    assert.equal(policy.allows(address), true, address)
    assert.equal(policy.isListed(address), true, address)
  }
  for (const address of ['192.168.7.8', '10.0.0.1', '::2', '::ffff:10.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::']) {
    assert.equal(policy.allows(address), false, address)
  }
  assert.equal(policy.isListed('8.8.8.8'), false)
  assert.equal(policy.allows('8.8.8.8'), true)
})

test('an opened NAT64 range reaches public IPv4 only', () => {
  const policy = createAddressPolicy(['64:ff9b::/96'])
  assert.equal(policy.allows('64:ff9b::8.8.8.8'), true)
  assert.equal(policy.allows('64:ff9b::127.0.0.1'), false)
  assert.equal(policy.allows('64:ff9b::a9fe:a9fe'), false)
})

test('embedded IPv4 addresses are decoded', () => {
  assert.deepEqual(embeddedIpv4('::ffff:1.2.3.4'), { address: '1.2.3.4', mapped: true })
  assert.equal(embeddedIpv4('::1.2.3.4')?.address, '1.2.3.4')
  assert.equal(embeddedIpv4('64:ff9b::102:304')?.address, '1.2.3.4')
  assert.equal(embeddedIpv4('2002:102:304::')?.address, '1.2.3.4')
  assert.equal(embeddedIpv4('2001:0:1:2:3:4:fefd:fcfb')?.address, '1.2.3.4')
  assert.equal(embeddedIpv4('::1'), null)
  assert.equal(embeddedIpv4('2606:4700::1111'), null)
  assert.equal(embeddedIpv4('1.2.3.4'), null)
})
