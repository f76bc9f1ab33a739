import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { inspect } from 'node:util'
import { pino } from 'pino'
import { Invalid, Unavailable } from './errors.ts'
import { createMailer, isEmail, RecipientRefused, type SmtpSettings } from './mail.ts'
import { smtpServer } from '../../test/support/smtp.ts'

const dir = mkdtempSync(join(tmpdir(), 'mail-test-'))
after(() => rmSync(dir, { recursive: true }))
const silent = pino({ level: 'silent' })

test('without SMTP a mail becomes a private file and a log line', async () => {
  const mailDir = join(dir, 'none')
  const lines: string[] = []
  const { send } = createMailer({
    smtp: null,
    mailDir,
    log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
  })
  await send({ to: 'ann@a.test', subject: 'Hällo\r\nBcc: eve@e.test', text: 'Open http://localhost/x?token=a=b\n' })
  const [name = ''] = readdirSync(mailDir)
  const content = readFileSync(join(mailDir, name), 'utf8')
  assert.equal(statSync(join(mailDir, name)).mode & 0o777, 0o600)
  assert.match(content, /^To: ann@a\.test$/m)
  assert.match(content, /^Subject: Hällo Bcc: eve@e\.test$/m)
  assert.ok(content.endsWith('\n\nOpen http://localhost/x?token=a=b\n'))
  const entry = JSON.parse(lines[0] ?? '{}') as Record<string, string>
  assert.deepEqual(
    [entry.to, entry.file, entry.text],
    ['ann@a.test', join(mailDir, name), 'Open http://localhost/x?token=a=b\n'],
  )
})

test('an invalid address is refused', async () => {
  const mailDir = join(dir, 'refused')
  const { send } = createMailer({ smtp: null, mailDir, log: silent })
  for (const to of ['', 'ann', 'a@b.test\nBcc: c@d.test', 'a@b.test, c@d.test'])
    await assert.rejects(send({ to, subject: 's', text: 't' }), Invalid)
  assert.throws(() => readdirSync(mailDir))
})

const settings = (port: number): SmtpSettings => ({
  host: '127.0.0.1',
  port,
  user: null,
  password: null,
  from: 'Rookery <notifications@a.test>',
  tls: false,
  verify: true,
})

test('with SMTP a mail goes to one recipient, even with a line break in its subject', async () => {
  const server = await smtpServer({})
  const { send } = createMailer({ smtp: settings(server.port), mailDir: dir, log: silent })
  await send({ to: 'ann@a.test', subject: 'Hi\r\nBcc: eve@e.test', text: 'Welcome.', id: '<7@a.test>' })
  server.close()
  assert.deepEqual(
    server.received.filter((line) => /^(MAIL|RCPT)/.test(line)).map((line) => line.replace(/ (SIZE|BODY).*/, '')),
    ['MAIL FROM:<notifications@a.test>', 'RCPT TO:<ann@a.test>'],
  )
  assert.ok(server.received.includes('Subject: Hi Bcc: eve@e.test'))
  assert.ok(server.received.includes('Auto-Submitted: auto-generated'))
  assert.ok(server.received.includes('Message-ID: <7@a.test>'))
  assert.ok(server.received.includes('Welcome.'))
})

test('with SMTP only a mail that can be ended says so', async () => {
  const server = await smtpServer({})
  const { send } = createMailer({ smtp: settings(server.port), mailDir: dir, log: silent })
  const unsubscribe = `https://a.test/unsubscribe?token=${'x'.repeat(100)}`
  await send({ to: 'ann@a.test', subject: 'News', text: 'Welcome.', unsubscribe })
  await send({ to: 'ann@a.test', subject: 'Security', text: 'Welcome.' })
  server.close()
  assert.deepEqual(
    server.received
      .join('\n')
      .replaceAll('\n ', ' ')
      .match(/^List-.*$/gm),
    [`List-Unsubscribe: <${unsubscribe}>`, 'List-Unsubscribe-Post: List-Unsubscribe=One-Click'],
  )
})

test('a mail server that refuses or cannot be reached is unavailable', async () => {
  const server = await smtpServer({ RCPT: '450 try again' })
  const mail = { to: 'ann@a.test', subject: 's', text: 't' }
  await assert.rejects(createMailer({ smtp: settings(server.port), mailDir: dir, log: silent }).send(mail), Unavailable)
  server.close()
  await assert.rejects(
    createMailer({ smtp: settings(server.port), mailDir: dir, log: silent }).send(mail),
    (error) => error instanceof Unavailable && error.cause instanceof Error,
  )
})

test('the error of a refused mail has the codes of the reply, but not its text, which may name the recipient', async () => {
  const replies = [
    ['RCPT', '550 5.1.1 <ann@a.test>: no Ann here', true],
    ['RCPT', '450 4.2.1 <ann@a.test>: Ann is out', false],
    ['RCPT', '554 5.7.1 <ann@a.test>: relay access denied', false],
    ['.', '554 5.7.1 ann@a.test is unwanted', false],
  ] as const
  for (const [verb, reply, isRefused] of replies) {
    const server = await smtpServer({ [verb]: reply })
    const { send } = createMailer({ smtp: settings(server.port), mailDir: dir, log: silent })
    await assert.rejects(send({ to: 'ann@a.test', subject: 's', text: 't' }), (error) => {
      assert.equal(error instanceof RecipientRefused, isRefused)
      const logged = inspect(error, { depth: null })
      assert.match(logged, new RegExp(`answered ${reply.slice(0, 9).replaceAll('.', '\\.')} to `))
      assert.doesNotMatch(logged, /ann/i)
      return true
    })
    server.close()
  }
})

test('valid mail addresses are accepted', () => {
  for (const good of [
    'admin@localhost',
    'a@b.test',
    'first.last+tag@sub.example.test',
    "o'brien@b.test",
    '1@2.test',
    'jürgen@bücher.test',
    'почта@пример.test',
    'x@xn--bcher-kva.test',
    `${'a'.repeat(64)}@b.test`,
  ])
    assert.equal(isEmail(good), true, good)
})

test('invalid mail addresses and header injections are refused', () => {
  const injections = [
    'a@b.test\r\nBcc: c@d.test',
    'a\n@b.test',
    'a@b.test\0',
    'a@b.test, c@d.test',
    'a@b.test;c@d.test',
    'A <a@b.test>',
    '<a@b.test>',
    'a@b.test>',
    '"a b"@c.test',
    '(x)a@b.test',
    'a@[127.0.0.1]',
  ]
  for (const bad of [
    '',
    '@',
    'a',
    'a@',
    '@b.test',
    'a@@b.test',
    'a@b@c.test',
    'a b@c.test',
    'a@b c.test',
    'a@.test',
    'a@b..test',
    'a@b.test.',
    'a@-b.test',
    'a@b_c.test',
    `a@${'b'.repeat(64)}.test`,
    `${'a'.repeat(65)}@b.test`,
    `a@${'b.'.repeat(130)}test`,
    ...injections,
  ])
    assert.equal(isEmail(bad), false, bad)
})
