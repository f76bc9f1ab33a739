import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTemplate, renderTemplate } from './template.ts'

const payload = {
  event: 'status.created',
  object: { id: '7', content: 'He said "no"\\\n{{event}}', tags: [{ name: 'a' }], sensitive: false, poll: null },
}

test('placeholders take what the payload has at their path, escaped', () => {
  for (const [template, expected] of [
    ['{"text": "{{event}}: {{ object.content }}"}', { text: `status.created: ${payload.object.content}` }],
    ['{"a": {{object.id}}, "b": {{object.sensitive}}, "c": "{{object.sensitive}}"}', { a: '7', b: false, c: 'false' }],
    ['{"tags": {{object.tags}}, "text": "{{object.tags}}"}', { tags: [{ name: 'a' }], text: '[{"name":"a"}]' }],
    ['{"first": {{object.tags.0.name}}}', { first: 'a' }],
    [
      '{"none": {{object.none.at.all}}, "text": "{{object.poll}}|{{toString}}|{{__proto__}}"}',
      { none: null, text: '||' },
    ],
    ['["\\"{{event}}\\"", "{{ no placeholder }}"]', ['"status.created"', '{{ no placeholder }}']],
  ] as const)
    assert.deepEqual(JSON.parse(renderTemplate(template, payload)), expected, template)
})

test('a template must make JSON, and stays short', () => {
  assert.ok(isTemplate('{"a": {{object}}}'))
  for (const template of ['', '{{', '{"a": {{object}}', 'text {{event}}', `"${'x'.repeat(10_000)}"`])
    assert.equal(isTemplate(template), false, template.slice(0, 30))
  assert.throws(() => renderTemplate(`"${'{{event}}'.repeat(1000)}"`, { event: 'x'.repeat(10_000) }), RangeError)
})
