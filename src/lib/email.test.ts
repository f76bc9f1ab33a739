import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEmail } from './email.ts'

test('addresses mail can go to', () => {
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

test('what is none, or would smuggle something in', () => {
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
